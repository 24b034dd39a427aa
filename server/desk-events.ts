import type { Request, Response, Router } from "express";
import type { AccessService } from "../shared/access/access.service.ts";
import { isAtLeast } from "../shared/access/level.policy.ts";
import type { FeedRow } from "../shared/database/schema.ts";
import type { Caller } from "../shared/kernel/caller.ts";
import { Failure, forbidden } from "../shared/kernel/failure.ts";
import type { Host } from "../shared/kernel/host.ts";
import type { ObjectKind } from "../shared/kernel/object-ref.ts";
import { callerOf, resource, routesAbout } from "../shared/kernel/resource.ts";
import { type FoundObject, listChanged } from "../shared/live-events/changed-objects.repository.ts";
import { type ChangedObject, EventStream, type Listener } from "../shared/live-events/event-stream.ts";
import type { ProcessLink } from "./process-link.ts";
import { listFeed, readHead } from "./sync/feed.repository.ts";
import type { FeedSignal } from "./sync/feed-signal.ts";
import { browserOf, type HttpParticipants } from "./sync/live/http-participants.ts";
import { callerNow } from "./sync/live/live-caller.service.ts";

/** Streams of one process, and of one user. A window beyond that asks again every 30 s. */
const limits = { streams: 2_000, ofOne: 30 };
/** The caller is checked again at least this often. */
const checkMs = 20_000;
const rowsAtOnce = 200;

export interface DeskEventsOptions {
  host: Host;
  access: AccessService;
  participants: HttpParticipants;
  signal: FeedSignal;
  closing: AbortSignal;
  /** Absent where no other process has the database. */
  link?: ProcessLink | undefined;
}

/** Events to the windows of signed-in users, from their feeds. */
export interface DeskEvents {
  routes: Router;
  /** Tells the windows of a user that something of theirs changed, which is in no feed. */
  announce(userId: string, object: ChangedObject): void;
}

/** Announces to the windows of a user at all processes. @param here announces to those at this one. */
function betweenProcesses(
  link: ProcessLink | undefined,
  stream: EventStream,
  here: DeskEvents["announce"],
): DeskEvents["announce"] {
  link?.onMessage("desk", (message) => {
    const { userId, object } = message as { userId: string; object: ChangedObject };
    here(userId, object);
  });
  // Missed announcements are in no feed. Windows that connect again read everything.
  link?.onGap(() => stream.close());
  return (userId, object) => {
    here(userId, object);
    link?.send("desk", { userId, object });
  };
}

/** Reads what the feed says as the pages know it. */
function feedObjects({ host: { db }, access }: Pick<DeskEventsOptions, "host" | "access">) {
  /** Drafts of a family are known only to those who may preview them. */
  async function maySee(caller: Caller, { kind, id, family }: FoundObject): Promise<boolean> {
    if (kind !== "draft" || family === undefined) return true;
    const { level } = await access.ofDraft(db, caller, { id, parent_id: family });
    return isAtLeast(level, "preview");
  }

  /** The parts of what is gone are unknown, so all its pages read again. */
  return async (caller: Caller, rows: readonly FeedRow[]): Promise<ChangedObject[]> => {
    const removed = rows.filter(({ state }) => state !== "live").map((row) => ({ kind: row.kind, id: row.object_id }));
    const live = rows.filter(({ state }) => state === "live");
    const refs = live.map((row) => ({ kind: row.kind as ObjectKind, id: row.object_id }));
    const objects: ChangedObject[] = [...removed];
    for (const found of await listChanged(db, refs)) {
      if (await maySee(caller, found)) objects.push({ kind: found.kind, id: found.id });
    }
    return objects;
  };
}

/** `GET /api/sync/events` of the server: `changed` and `presence` (design, web 5). */
export function deskEvents({ host, access, participants, signal, closing, link }: DeskEventsOptions): DeskEvents {
  const stream = new EventStream();
  const objectsOf = feedObjects({ host, access });
  const callers = new Map<Listener, Caller>();

  /** The caller as of now; undefined once they may no longer listen. */
  async function callerAgain(listener: Listener): Promise<Caller | undefined> {
    const known = callers.get(listener);
    const caller = known && (await callerNow(host, known));
    if (caller && callers.has(listener)) callers.set(listener, caller);
    return caller;
  }

  /** What is announced is in no feed, so a session or token that has ended would hear of it. */
  async function announceTo(listener: Listener, object: ChangedObject): Promise<void> {
    if (await callerAgain(listener)) listener.send("changed", object);
    else listener.end();
  }

  /** Sends what the feed gains, until the window is gone or its user may no longer listen. */
  async function follow(listener: Listener, userId: string, from: number): Promise<void> {
    let after = from;
    while (!listener.gone.aborted && !closing.aborted) {
      const wait = signal.wait(userId, checkMs);
      listener.gone.addEventListener("abort", wait.cancel, { once: true });
      const rows = await listFeed(host.db, userId, after, rowsAtOnce);
      if (rows.length > 0) wait.cancel();
      await wait.ended;
      listener.gone.removeEventListener("abort", wait.cancel);
      const caller = await callerAgain(listener);
      if (!caller) break;
      for (const object of await objectsOf(caller, rows)) listener.send("changed", object);
      after = rows.at(-1)?.seq ?? after;
    }
  }

  async function open(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    if (caller.userId === null) throw forbidden();
    // Nothing is awaited between the check and the entry, or calls at the same moment would all pass it.
    const from = await readHead(host.db);
    const own = [...callers.values()].filter(({ userId }) => userId === caller.userId).length;
    if (stream.size >= limits.streams || own >= limits.ofOne)
      throw new Failure("unavailable", "Too many windows listen. Ask again later.", {
        headers: { "Retry-After": "30" },
      });
    const listener = stream.open(req, res);
    if (!listener) return;
    callers.set(listener, caller);
    for (const seen of participants.peopleFor(browserOf(caller))) listener.send("presence", seen);
    // The window connects again, and learns by the answer what is wrong.
    follow(listener, caller.userId, from)
      .catch(() => undefined)
      .finally(() => {
        callers.delete(listener);
        listener.end();
      });
  }

  participants.onPeople((browser, draft, people) =>
    stream.send("presence", { draft, people }, (listener) => {
      const caller = callers.get(listener);
      return caller !== undefined && browserOf(caller) === browser;
    }),
  );
  const announce = betweenProcesses(link, stream, (userId, object) => {
    const own = [...callers].filter(([, caller]) => caller.userId === userId);
    for (const [listener] of own) announceTo(listener, object).catch(() => listener.end());
  });
  const routes = routesAbout("sync");
  resource(routes, "/api/sync/events", { GET: { produces: [], handle: open } });
  return { routes, announce };
}
