import type { Upstreams } from "../sync/upstream.ts";
import { carrelServer } from "./carrel/carrel-server.ts";
import { ReplicaRegistration, type ReplicaRegistrationOptions } from "./carrel/replica-registration.ts";
import { RequestSize } from "./carrel/uploads.ts";
import { checkConnection } from "./carrel/welcome.ts";

/** The kinds of servers that a replica can connect to. */
export function createUpstreams(options: ReplicaRegistrationOptions): Upstreams {
  const carrel = { db: options.db, registration: new ReplicaRegistration(options), requestSize: new RequestSize() };
  return {
    welcome: checkConnection,
    open: (account, signal) => carrelServer(carrel, account, signal),
  };
}
