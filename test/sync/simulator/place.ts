import type { Services } from "../../../shared/api.ts";
import type { Db } from "../../../shared/database/open.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import type { SimReplica } from "./sim-replica.ts";

/** Where a user acts: on a replica, or on the server. */
export interface Place {
  db: Db;
  services: Services;
  caller: Caller;
  name: string;
  replica: SimReplica | undefined;
  /** Microseconds by the clock of this place. */
  now(): number;
  takeId(): Promise<string>;
  newUuid(): string;
  newToken(): string;
}
