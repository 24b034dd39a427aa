import type { Services } from "../../../shared/api.ts";
import type { Db } from "../../../shared/database/open.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import type { World } from "./world.ts";

/** Something a person was told is done: it must be found at the end. */
export interface Intent {
  family: string;
  draft: string;
  /** Text that only this action brought into the world. */
  marker: string;
}

/** What the people were told, kept outside of everything under test. */
export class Ledger {
  readonly intents: Intent[] = [];
  readonly comments: { request: string; marker: string }[] = [];
  readonly discarded = new Set<string>();
  readonly drafts = new Set<string>();
  #markers = 0;

  newMarker(): string {
    return `Marker${++this.#markers}x`;
  }
}

export interface Place {
  db: Db;
  services: Services;
  caller: Caller;
  name: string;
  takeId(): Promise<string>;
  newUuid(): string;
}

export type Action = (world: World, ledger: Ledger, place: Place) => Promise<string>;
