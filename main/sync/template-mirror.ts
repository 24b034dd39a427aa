import { createHash, randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Db } from "../../shared/database/open.ts";
import type { DeskService } from "../../shared/desk/desk.service.ts";
import { localOwner } from "../../shared/desk/desk-owner.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { SyncEngine } from "./engine.ts";
import { recall, remember } from "./person.repository.ts";
import { Unreachable } from "./transport.ts";
import type { Upstream, UpstreamDesk } from "./upstream.ts";
import type { WindowEvents } from "./window-events.ts";

const shelf = "templates";
/** Others' changes are looked for at least this often, and when the user looks at the templates. */
const againAfterMs = 60_000;
const lookAgainMs = 1_000;

interface MirrorOptions {
  db: Db;
  engine: Pick<SyncEngine, "isOnline" | "connection">;
  desk: DeskService;
  log: Logger;
  /** Notified when templates of another computer arrived. */
  events: Pick<WindowEvents, "sendChanges">;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Templates that the server does not have as they are here. */
export async function countUnsentTemplates(db: Db, desk: Pick<DeskService, "list">): Promise<number> {
  const sent = (await recall(db, "templates"))?.digests ?? {};
  let unsent = 0;
  for await (const { key, text } of desk.list(localOwner, shelf)) if (sent[key] !== digestOf(text)) unsent++;
  return unsent;
}

/** A template on both sides as JSON text, and the digest of its state at the last exchange; undefined: there is none. */
interface Sides {
  mine: string | undefined;
  theirs: string | undefined;
  last: string | undefined;
}

interface Outcome {
  /** The text that both sides have now. */
  left: string | undefined;
  hasArrived?: true;
}

/**
 * Keeps a person's templates alike on all their computers, by way of the server. Each template is compared with its state
 * at the last exchange: what changed on one side goes to the other. If both changed, both are kept.
 */
export class TemplateMirror {
  readonly #options: MirrorOptions;
  readonly #calls = new AbortController();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #endMs = Number.NEGATIVE_INFINITY;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** Called when the connection changed. */
  notify(): void {
    if (this.#isWanted || performance.now() - this.#endMs > againAfterMs) this.changed();
  }

  /** Called when the user looks at their templates. */
  looked(): void {
    if (performance.now() - this.#endMs > lookAgainMs) this.changed();
  }

  /** Called when a template changed here; without the server, it is sent once that is back. */
  changed(): void {
    this.#isWanted = true;
    if (!this.#options.engine.isOnline() || this.#calls.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#calls.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { engine, log, events } = this.#options;
    try {
      while (this.#isWanted && !this.#calls.signal.aborted) {
        this.#isWanted = false;
        const { upstream } = engine.connection;
        if (upstream?.desk && (await this.#exchange(upstream, upstream.desk)))
          events.sendChanges([{ kind: "desk", id: shelf }]);
      }
    } catch (error) {
      // The engine reports a lost connection. The next one tries again.
      this.#isWanted = error instanceof Unreachable;
      if (!this.#isWanted) log.warn({ err: error }, "the templates could not be exchanged");
    }
    this.#endMs = performance.now();
  }

  /** @returns whether a template changed here. */
  async #exchange(upstream: Pick<Upstream, "wholePage">, desk: UpstreamDesk): Promise<boolean> {
    const { db, desk: own } = this.#options;
    const epoch = await this.#epoch();
    const before = await recall(db, "templates");
    const known = new Map(before?.epoch === epoch ? Object.entries(before.digests) : []);
    const there = await desk.list(shelf, this.#calls.signal);
    // A server that was restored from a backup lacks templates that nobody removed. It refuses the cursor, which the feed
    // may notice later than this list.
    if ([...known].some(([key, last]) => digestOf(there.get(key) ?? "") !== last)) {
      await upstream.wholePage(await recall(db, "cursor"));
      if ((await this.#epoch()) !== epoch) throw new Unreachable("The server was restored.");
    }
    const here = new Map<string, string>();
    for await (const { key, text } of own.list(localOwner, shelf)) here.set(key, text);
    let hasArrived = false;
    for (const key of new Set([...here.keys(), ...there.keys(), ...known.keys()])) {
      const [mine, theirs, last] = [here.get(key), there.get(key), known.get(key)];
      const outcome = mine === theirs ? { left: mine } : await this.#reconcile(desk, key, { mine, theirs, last });
      hasArrived ||= outcome.hasArrived === true;
      if (outcome.left === undefined) known.delete(key);
      else known.set(key, digestOf(outcome.left));
    }
    await remember(db, "templates", { epoch, digests: Object.fromEntries(known) });
    return hasArrived;
  }

  async #epoch(): Promise<number> {
    return (await recall(this.#options.db, "lives")) ?? 0;
  }

  async #reconcile(desk: UpstreamDesk, key: string, { mine, theirs, last }: Sides): Promise<Outcome> {
    const isChanged = (text: string | undefined) => (text === undefined ? last !== undefined : digestOf(text) !== last);
    if (isChanged(mine) && isChanged(theirs) && mine !== undefined && theirs !== undefined) {
      await this.#options.desk.keep(localOwner, shelf, { key: randomUUID(), text: mine });
      this.#isWanted = true;
    } else if (mine !== undefined ? isChanged(mine) : !isChanged(theirs)) {
      await (mine === undefined ? desk.remove(shelf, key) : desk.keep(shelf, key, mine));
      return { left: mine };
    }
    return this.#take(key, mine, theirs);
  }

  /** Takes the server's state, unless the user changed the template meanwhile. */
  async #take(key: string, mine: string | undefined, theirs: string | undefined): Promise<Outcome> {
    const { desk } = this.#options;
    const now = await desk.find(localOwner, shelf, key).catch((error: unknown) => {
      if (error instanceof Failure && error.kind === "not_found") return undefined;
      throw error;
    });
    if (now?.text !== mine) {
      this.#isWanted = true;
      return { left: mine };
    }
    await (theirs === undefined
      ? desk.remove(localOwner, shelf, key)
      : desk.keep(localOwner, shelf, { key, text: theirs }));
    return { left: theirs, hasArrived: true };
  }
}
