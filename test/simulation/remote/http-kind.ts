import { httpBackend, httpSettings } from "../../../src/core/state/http/backend.ts";
import { httpStore } from "../../../src/core/state/http/http-store.ts";
import { readSettings } from "../../../src/core/state/settings.ts";
import type { StoreKind } from "../ports.ts";
import { HttpServer } from "./http-server.ts";
import { WebPart, remotePorts } from "./web-part.ts";

const ADDRESS = "https://git.example.com/api/v4/projects/7/terraform/state/hooks";
const GIVEN = { address: ADDRESS, lock_address: `${ADDRESS}/lock`, lock_method: "POST", unlock_method: "DELETE" };

const { value: read } = readSettings(httpBackend, GIVEN, { environment: {} });
const settings = read && httpSettings(read.values, read).value;

export const httpKind: StoreKind = {
  name: "http",
  tidy: (store) => store.unlock(),
  newPart: () => new WebPart(new HttpServer()),
  open: (world, ports) => {
    if (!settings) throw new Error("the settings of the http backend are wrong");
    return httpStore(settings, remotePorts(world, ports));
  },
};
