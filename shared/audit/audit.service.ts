import { type Db, transaction } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { forbidden, invalidField, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { Page } from "../kernel/search-envelope.ts";
import { windowSize } from "../kernel/search-envelope.ts";
import { yieldToEventLoop } from "../kernel/time-slice.ts";
import { parseTime } from "../kernel/timestamps.ts";
import { fold } from "../search/language/analysis.ts";
import type { SearchRequest } from "../search/search-parameters.ts";
import type { UserService } from "../users/user.service.ts";
import { mayReadAuditLog } from "./audit.policy.ts";
import {
  type AuditEntry,
  type AuditFilter,
  type AuditWord,
  allowRemoval,
  deleteOldest,
  entryBounds,
  findEntry,
  listEntries,
} from "./audit.repository.ts";

export interface AuditService {
  /**
   * A page of the log; `total` counts up to 10,000. @throws Failure 403 unless administrator, 400 for an invalid
   * time.
   */
  search(db: Db, caller: Caller, request: SearchRequest): Promise<Page<AuditEntry>>;
  /** @throws Failure 403 unless administrator, 404. */
  require(db: Db, caller: Caller, id: string): Promise<AuditEntry>;
  /** The given names, and the ids of the users with one of them as user name. */
  actorIds(db: Db, names: readonly string[]): Promise<string[]>;
  /** The users who are actors of entries, by id. */
  actorsOf(db: Db, entries: readonly AuditEntry[]): Promise<Map<string, UserRow>>;
  /** All entries that pass the filter, for the console. */
  walk(db: Db, filter: AuditFilter, order: "newest" | "oldest"): AsyncGenerator<AuditEntry>;
  /** Removes entries written before an instant, in microseconds UTC. @returns how many. */
  removeBefore(instant: number): Promise<number>;
}

/** Ids read by one query: a few milliseconds of work for any filter. */
const idsAtOnce = 2000;
const removedAtOnce = 1000;

/** @throws Failure 400 for an invalid time. */
export function auditTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const micros = parseTime(text);
  if (micros === undefined) throw invalidField(name, "Not a valid datetime.");
  return micros;
}

/** The words of a search, each with the users whose names have it. */
async function wordsOf(users: Pick<UserService, "list">, db: Db, q = ""): Promise<AuditWord[]> {
  const texts = q.split(/\s+/).filter((word) => word !== "");
  const people = texts.length === 0 ? [] : await users.list(db);
  const names = people.map(({ id, username, full_name }) => ({ id, text: fold(`${username} ${full_name}`) }));
  return texts.map((text) => ({
    text,
    users: names.filter((name) => name.text.includes(fold(text))).map(({ id }) => id),
  }));
}

/** The audit log of a server (findings, security 12). A replica has none. */
export function auditService({ host, users }: { host: Pick<Host, "db">; users: UserService }): AuditService {
  function assertReader(caller: Caller): void {
    if (!mayReadAuditLog(caller)) throw forbidden();
  }

  async function* walk(db: Db, filter: AuditFilter, order: "newest" | "oldest"): AsyncGenerator<AuditEntry> {
    const bounds = await entryBounds(db);
    if (!bounds) return;
    const { first, last } = bounds;
    for (let done = 0; first + done <= last; done += idsAtOnce) {
      const low = order === "oldest" ? first + done : Math.max(first, last - done - idsAtOnce + 1);
      const high = order === "oldest" ? Math.min(last, low + idsAtOnce - 1) : last - done;
      const entries = await listEntries(db, low, high, filter);
      yield* order === "oldest" ? entries.reverse() : entries;
      await yieldToEventLoop();
    }
  }

  async function actorIds(db: Db, names: readonly string[]): Promise<string[]> {
    const accounts = await Promise.all(names.map((name) => users.findAccount(db, { by: "username", name })));
    return names.flatMap((name, at) => [name, ...(accounts[at] ? [accounts[at].id] : [])]);
  }

  async function filterOf(db: Db, { q, filters }: SearchRequest): Promise<AuditFilter> {
    const of = (name: string): readonly string[] => filters.get(name) ?? [];
    const since = auditTime("since", of("since")[0]);
    const until = auditTime("until", of("until")[0]);
    return {
      action: of("action"),
      actor: await actorIds(db, of("user")),
      object: of("resource"),
      outcome: of("outcome"),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      words: await wordsOf(users, db, q),
    };
  }

  return {
    async search(db, caller, request) {
      assertReader(caller);
      const order = request.sort === "oldest" ? "oldest" : "newest";
      const hits: AuditEntry[] = [];
      let total = 0;
      for await (const entry of walk(db, await filterOf(db, request), order)) {
        if (total >= request.offset && hits.length < request.limit) hits.push(entry);
        total += 1;
        if (total === windowSize) break;
      }
      return { hits, total };
    },
    async require(db, caller, id) {
      assertReader(caller);
      const entry = /^\d{1,15}$/.test(id) ? await findEntry(db, Number(id)) : undefined;
      if (!entry) throw notFound();
      return entry;
    },
    async actorsOf(db, entries) {
      const ids = new Set(entries.flatMap(({ actor }) => (actor === null ? [] : [actor])));
      const found = await Promise.all([...ids].map((id) => users.find(db, id)));
      return new Map(found.flatMap((user) => (user ? [[user.id, user] as const] : [])));
    },
    actorIds,
    walk,
    async removeBefore(instant) {
      await allowRemoval(host.db, instant);
      let removed = 0;
      for (;;) {
        const count = await transaction(host.db, (tx) => deleteOldest(tx, instant, removedAtOnce));
        removed += count;
        if (count < removedAtOnce) return removed;
        await yieldToEventLoop();
      }
    },
  };
}
