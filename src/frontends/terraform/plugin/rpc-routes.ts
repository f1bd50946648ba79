import type { Route, Routes } from "./grpc.ts";
import { mapAnswer } from "../wire/wire-diagnostics.ts";
import type { MessageFns } from "../generated/tfplugin6.ts";

interface Method {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each method has message types of its own
  readonly requestType: MessageFns<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly responseType: MessageFns<any>;
  readonly responseStream: boolean;
}

interface Service {
  readonly fullName: string;
  readonly methods: { readonly [name: string]: Method };
}

type Message<T> = T extends { decode(...args: never[]): infer M } ? M : never;

type Answer<M extends Method> = M["responseStream"] extends true
  ? AsyncIterable<Message<M["responseType"]>>
  : Message<M["responseType"]> | Promise<Message<M["responseType"]>>;

/** Implements a service: one function for each method, messages in and out. */
export type Handlers<S extends Service> = {
  readonly [M in keyof S["methods"]]: (request: Message<S["methods"][M]["requestType"]>) => Answer<S["methods"][M]>;
};

/** The routes of a service whose methods all take one message. */
export function routesOf<S extends Service>(service: S, handlers: Handlers<S>): Routes {
  return new Map(
    Object.entries(service.methods).map(([key, method]): [string, Route] => [`/${service.fullName}/${method.name}`, routeOf(method, handlers[key])]),
  );
}

function routeOf({ requestType, responseType, responseStream }: Method, handler: unknown): Route {
  if (!responseStream) {
    const handle = handler as (request: unknown) => unknown;
    return (request) => mapAnswer(handle(requestType.decode(request)), (response) => responseType.encode(response).finish());
  }
  const handle = handler as (request: unknown) => AsyncIterable<unknown>;
  return {
    stream: async function* (request) {
      for await (const message of handle(requestType.decode(request))) yield responseType.encode(message).finish();
    },
  };
}
