import type { Route, Routes } from "./grpc.ts";
import type { MessageFns } from "./generated/tfplugin6.ts";

interface Method {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each method has message types of its own
  readonly requestType: MessageFns<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly responseType: MessageFns<any>;
}

interface Service {
  readonly fullName: string;
  readonly methods: { readonly [name: string]: Method };
}

type Message<T> = T extends { decode(...args: never[]): infer M } ? M : never;

/** What implements a service: a function for each of its methods, messages in and out. */
export type Handlers<S extends Service> = {
  readonly [M in keyof S["methods"]]: (request: Message<S["methods"][M]["requestType"]>) => Promise<Message<S["methods"][M]["responseType"]>>;
};

/** The routes of a service whose methods all take one message and answer one. */
export function routesOf<S extends Service>(service: S, handlers: Handlers<S>): Routes {
  return new Map(
    Object.entries(service.methods).map(([key, method]): [string, Route] => {
      const handle = handlers[key] as (request: unknown) => Promise<unknown>;
      return [`/${service.fullName}/${method.name}`, async (request) => method.responseType.encode(await handle(method.requestType.decode(request))).finish()];
    }),
  );
}
