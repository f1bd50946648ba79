import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { runProvider } from "../../../src/frontends/terraform/run-provider.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { nodeProcess, argumentsOf, commandLineOf } from "../../../src/platform/node-process.ts";
import { fewSalts } from "../../core/secrets/few-salts.ts";
import { quickAgain } from "../../core/secrets/quick-again.ts";
import { filesInFolder } from "../../../src/platform/node-files.ts";

/** Ends what the launcher says. */
const END = "\0\0";

/** The provider in the test's process, opened anew for each process that Terraform starts. Starting Node takes longer than most commands. */
export class ServedProvider {
  readonly #server: Server;
  readonly #serving = new Set<Promise<void>>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => {
      const served = serve(socket).finally(() => this.#serving.delete(served));
      this.#serving.add(served);
    });
  }

  static async open(): Promise<ServedProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ServedProvider(server);
  }

  get environment(): { readonly [name: string]: string } {
    return { PROVIDER_SERVED_AT: String((this.#server.address() as AddressInfo).port) };
  }

  /** When every provider has ended. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.all(this.#serving);
  }
}

async function serve(socket: Socket): Promise<void> {
  const gone = new Promise<"gone">((resolve) =>
    socket.on("close", () => resolve("gone")).on("error", () => resolve("gone")),
  );
  const text = await Promise.race([greeting(socket), gone.then(() => "")]);
  if (text === "") return;
  const [terraform = "", folder = "", ...variables] = text.slice(0, -END.length).split("\0");
  const environment = Object.fromEntries(
    variables.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  await runProvider({
    environment,
    platform: process.platform,
    temporaryFolders: [tmpdir(), "/tmp"],
    files: filesInFolder(folder),
    random: fewSalts,
    process: nodeProcess,
    clock: nodeClock,
    fingerprinter: quickAgain,
    out: (line) => void socket.write(line),
    err: (line) => void process.stderr.write(line),
    startedWith: () => argumentsOf(Number(terraform)),
    commandLine: () => commandLineOf(Number(terraform)),
    orphaned: gone,
    atExit: () => undefined,
  });
  socket.end();
}

function greeting(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.endsWith(END)) resolve(text);
    });
  });
}
