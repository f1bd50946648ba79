import { once } from "node:events";
import { connect } from "node:http2";
import { type AddressInfo, type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { type TLSSocket, connect as connectTls } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { createCertificate } from "../../../src/frontends/terraform/certificate.ts";
import { chooseEndpoint } from "../../../src/frontends/terraform/handshake.ts";
import { encodeFields } from "../../../src/frontends/terraform/http2/encode-fields.ts";
import { HeaderDecoder } from "../../../src/frontends/terraform/http2/header-decoder.ts";
import { PluginServer } from "../../../src/frontends/terraform/server.ts";
import { ProtocolClient, framed } from "./protocol-client.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("header blocks", () => {
  it("are decoded as in the examples of RFC 7541, C.3 and C.4", () => {
    const examples = [
      [
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
      ],
      ["8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", "8286 84be 5886 a8eb 1064 9cbf", "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"],
    ];
    for (const [first = "", second = "", third = ""] of examples) {
      const decoder = new HeaderDecoder();
      expect(decoder.find(":authority", hex(first))).toBe("www.example.com");
      expect([decoder.find("cache-control", hex(second)), decoder.find(":path", hex(third))]).toEqual(["no-cache", "/index.html"]);
      // The newest of the three that the examples leave in the table.
      expect([decoder.find("custom-key", hex("be")), decoder.find(":authority", hex("c0"))]).toEqual(["custom-value", "www.example.com"]);
    }
  });

  it("are read of every byte that Node's client can send, in its Huffman code", async () => {
    const values = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte >= 32 && byte !== 127);
    const sent = Object.fromEntries(values.map((byte) => [`x-${String(byte)}`, `${"e".repeat(40)}${String.fromCharCode(byte)}e`]));
    const block = await blockOf(sent);
    for (const [name, value] of Object.entries(sent)) expect([name, new HeaderDecoder().find(name, block)]).toEqual([name, value]);
    expect(block.length).toBeLessThan(JSON.stringify(sent).length);
  });

  it("keep no more than the table may hold", () => {
    const decoder = new HeaderDecoder();
    const indexed = (value: string) => Buffer.concat([Buffer.from([0x40]), encodeFields({ x: value }).subarray(1)]);
    decoder.find("x", indexed("a".repeat(2000)));
    decoder.find("x", indexed("b".repeat(2000)));
    expect(decoder.find("x", hex("bf"))).toBe("a".repeat(2000));
    decoder.find("x", indexed("c".repeat(2000)));
    expect(decoder.find("x", hex("bf"))).toBe("b".repeat(2000));
    expect(() => decoder.find("x", hex("c0"))).toThrow("no table");
    decoder.find("x", hex("20"));
    expect(() => decoder.find("x", hex("be"))).toThrow("no table");
  });

  it.each([
    ["an index of no table", "ff80 01", "no table"],
    ["the index 0", "80", "no table"],
    ["a table that is larger than allowed", "3fe2 1f", "larger than allowed"],
    ["a text that ends early", "0001 7805 6162", "cut off"],
    ["a length that ends early", "0001 787f", "cut off"],
    ["a number without an end", "ffff ffff ffff ffff", "too large"],
    ["a code that ends early", "0001 7881 fe", "inside of a code"],
    ["more than seven bits of padding", "0001 7882 ffff", "inside of a code"],
    ["the code that ends a text", "0001 7884 ffff ffff", "end of a text"],
  ])("are refused with %s", (_what, block, reason) => {
    expect(() => new HeaderDecoder().find("x", hex(block))).toThrow(reason);
  });
});

/** The headers that Node's client sends, as they are on the wire. */
async function blockOf(headers: { readonly [name: string]: string }): Promise<Buffer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  client.on("error", () => undefined);
  const [socket] = (await once(server, "connection")) as [Socket];
  client.request({ ":path": "/", ...headers }).on("error", () => undefined);
  let bytes: Buffer = Buffer.alloc(0);
  try {
    for (;;) {
      const [chunk] = (await once(socket, "data")) as [Buffer];
      bytes = Buffer.concat([bytes, chunk]);
      for (let at = 24; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
        const end = at + 9 + bytes.readUIntBE(at, 3);
        // With a priority of five bytes.
        if (bytes[at + 3] === 1 && end <= bytes.length) return bytes.subarray(at + 9 + ((bytes[at + 4] ?? 0) & 0x20 ? 5 : 0), end);
      }
    }
  } finally {
    client.destroy();
    socket.destroy();
    server.close();
  }
}

const ECHO = "/test.Echo/Say";
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const own = createCertificate();
const started: { close(): void }[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.close();
});

async function serve(): Promise<string> {
  const server = new PluginServer(new Map([[ECHO, (request) => request]]), {
    certificate: createCertificate(),
    clientCertificate: own.certificate,
    endpoint: chooseEndpoint("linux", [tmpdir(), "/tmp"]),
  });
  started.push(server);
  return server.listen();
}

async function open(line: string): Promise<{ readonly socket: TLSSocket; readonly received: () => Buffer }> {
  const socket = connectTls({ path: line.split("|")[3] ?? "", rejectUnauthorized: false, ALPNProtocols: ["h2"], key: own.key, cert: own.certificate });
  const chunks: Buffer[] = [];
  socket.on("error", () => undefined).on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "secureConnect");
  started.push({ close: () => socket.destroy() });
  return { socket, received: () => Buffer.concat(chunks) };
}

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const headers = encodeFields({ ":method": "POST", ":path": ECHO });

/** The first frame of a type for a stream that has come, or null. */
function frameIn(bytes: Buffer, type: number, stream: number): Buffer | null {
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === type && bytes.readUInt32BE(at + 5) === stream) return bytes.subarray(at + 9, at + 9 + bytes.readUIntBE(at, 3));
  }
  return null;
}

describe("a connection", () => {
  it("takes headers in several frames, padded data, and what comes a byte at a time", async () => {
    const { socket, received } = await open(await serve());
    const padded = Buffer.concat([Buffer.from([3]), framed(Buffer.from("hello")), Buffer.from([0, 0, 0])]);
    const call = [
      PREFACE,
      frame(4, 0, 0),
      frame(1, 0, 1, headers.subarray(0, 10)),
      frame(9, 0, 1, headers.subarray(10, 20)),
      frame(9, 4, 1, headers.subarray(20)),
      frame(0xee, 0xff, 1, Buffer.from("unknown")),
      frame(0, 1 | 8, 1, padded),
    ];
    for (const byte of Buffer.concat(call)) {
      socket.write(Buffer.from([byte]));
      if (byte % 7 === 0) await new Promise(setImmediate);
    }
    await expect.poll(() => frameIn(received(), 0, 1)?.subarray(5).toString()).toBe("hello");
  });

  it("answers a ping, and data of a stream that is over is ignored", async () => {
    const { socket, received } = await open(await serve());
    const ping = Buffer.from("12345678");
    socket.write(Buffer.concat([PREFACE, frame(1, 4, 1, headers), frame(3, 0, 1, Buffer.alloc(4)), frame(0, 1, 1, framed(Buffer.from("late")))]));
    socket.write(frame(6, 0, 0, ping));
    await expect.poll(() => frameIn(received(), 6, 0)?.toString()).toBe("12345678");
    expect(frameIn(received(), 0, 1)).toBeNull();
  });

  it("sends no more than the caller takes", async () => {
    const { socket, received } = await open(await serve());
    const window = Buffer.from([0, 4, 0, 0, 0, 7]);
    socket.write(Buffer.concat([PREFACE, frame(4, 0, 0, window), frame(1, 4, 1, headers), frame(0, 1, 1, framed(Buffer.from("hello")))]));
    await expect.poll(() => frameIn(received(), 0, 1)?.length).toBe(7);
    const before = received().length;
    socket.write(frame(8, 0, 1, Buffer.from([0, 0, 0, 100])));
    await expect.poll(() => frameIn(received().subarray(before), 0, 1)?.toString()).toBe("llo");
  });

  const broken: readonly [string, Buffer][] = [
    ["a frame that is too large", frame(0, 0, 1, Buffer.alloc(16_385))],
    ["headers that are not continued", Buffer.concat([frame(1, 0, 1, headers), frame(6, 0, 0, Buffer.alloc(8))])],
    ["a continuation of nothing", frame(9, 4, 1, headers)],
    ["headers without an end", Buffer.concat([frame(1, 0, 1), ...Array.from({ length: 5 }, () => frame(9, 0, 1, Buffer.alloc(16_384)))])],
    ["a stream of the server's", frame(1, 4, 2, headers)],
    ["a request without a path", frame(1, 5, 1, encodeFields({ ":method": "POST" }))],
    ["headers that cannot be decoded", frame(1, 5, 1, hex("ff8001"))],
    ["padding that is longer than its frame", frame(0, 8, 1, Buffer.from([9]))],
    ["a ping of another length", frame(6, 0, 0, Buffer.alloc(7))],
    ["settings of another length", frame(4, 0, 0, Buffer.alloc(7))],
    ["a window without a size", frame(8, 0, 0)],
    ["a push", frame(5, 4, 1, Buffer.alloc(4))],
  ];
  it.each(broken)("ends on %s, and others go on", async (_what, bytes) => {
    const line = await serve();
    const client = await ProtocolClient.connect(line, own);
    started.push(client);
    const { socket, received } = await open(line);
    const closed = once(socket, "close");
    socket.write(Buffer.concat([PREFACE, frame(4, 0, 0), bytes]));
    await closed;
    expect(frameIn(received(), 7, 0)?.readUInt32BE(4)).toBe(1);
    expect((await client.call(ECHO, framed(Buffer.from("still here")))).status).toBe(0);
  });
});
