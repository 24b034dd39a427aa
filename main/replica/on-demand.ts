import { setTimeout } from "node:timers/promises";
import type { Request } from "express";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { Failure, forbidden } from "../../shared/kernel/failure.ts";
import type { CommandHandler } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { type About, type RouteStep, routeOf } from "../../shared/kernel/route-facts.ts";
import { upsertBase } from "../sync/base.repository.ts";
import { assertBundle } from "../sync/bundle-check.ts";
import { isDeleted } from "../sync/deleted.repository.ts";
import { hasOperation } from "../sync/operation.repository.ts";
import { personIn } from "../sync/person.ts";
import { rebase } from "../sync/rebase.ts";
import { isWithdrawn } from "../sync/withdrawn.repository.ts";
import { connectionFailure, type Forwarding, forward, forwardAny, serverNeeded } from "./forward.ts";
import {
  areFilesElsewhere,
  deleteCard,
  findTopicOf,
  isCardAlone,
  isDraftBeyond,
  isDraftElsewhere,
  isHeld,
  isOfSomebodyElse,
  isReviewElsewhere,
} from "./held.repository.ts";

export interface OnDemandOptions extends Forwarding {
  handlers: Map<string, CommandHandler>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
}

/** The kind of object that a path names. */
const kinds: Partial<Record<About, string>> = {
  record: "record",
  draft: "record",
  review: "record",
  file: "record",
  request: "request",
  decision: "request",
  user: "user",
  group: "group",
};

/** Without the server, a receiver whom this replica does not know is refused. */
const needsServer = (req: Request): boolean => req.method === "PUT" && routeOf(req).about === "review";

/** Time limit for refreshing a user card that is already here. */
const cardWaitMs = 2000;

/** Somebody else's record is here without a draft; only the server knows whether one exists. */
async function asksForDraft(db: Db, req: Request, isAbsent: typeof isDraftElsewhere): Promise<boolean> {
  const { about, id } = routeOf(req);
  if (about !== "draft" && about !== "review") return false;
  const { userId } = await personIn(db);
  return !(await hasOperation(db, id)) && (await isAbsent(db, id, userId ?? ""));
}

/** The draft is here, its review is not: somebody else created it, and this user may not read it. */
async function asksForReviewElsewhere(db: Db, req: Request): Promise<boolean> {
  const { about, id } = routeOf(req);
  return about === "review" && isReviewElsewhere(db, id);
}

/** Only the server knows the files that this user may not read (records 1.1, order of checks). */
async function asksForFilesElsewhere(db: Db, req: Request): Promise<boolean> {
  const { about, id } = routeOf(req);
  return about === "file" && areFilesElsewhere(db, id, (await personIn(db)).userId ?? "");
}

const asksForPartElsewhere = async (db: Db, req: Request): Promise<boolean> =>
  (await asksForReviewElsewhere(db, req)) ||
  (await asksForFilesElsewhere(db, req)) ||
  (await asksForDraft(db, req, isDraftElsewhere));

/** Fetches objects from the server and stores them. */
export function fetching({ db, engine, handlers, project }: OnDemandOptions) {
  /** Fetches what the answer depends on: a user who reads a request by its topic needs the topic. */
  async function fetchWithTopic(kind: string, id: string): Promise<void> {
    await fetchAndKeep(kind, id);
    const topic = kind === "request" ? await findTopicOf(db, id, (await personIn(db)).userId) : undefined;
    if (topic === undefined || (await isHeld(db, "record", topic))) return;
    try {
      await fetchAndKeep("record", topic);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === "unavailable") throw error;
    }
  }

  async function fetchAndKeep(kind: string, id: string): Promise<void> {
    const { signal, upstream } = engine.connection;
    if (!upstream || !engine.isOnline()) throw serverNeeded(engine);
    let bundle: Bundle;
    try {
      bundle = await upstream.open(kind, id);
      assertBundle(bundle, { kind: kind === "record" ? "family" : kind, id: bundle.id });
    } catch (error) {
      throw connectionFailure(engine, signal, error);
    }
    await transaction(db, async (tx) => {
      // The feed will bring it with its position; until then this is the latest state.
      await upsertBase(tx, { kind: bundle.kind, object_id: bundle.id, seq: 0, bundle: JSON.stringify(bundle) });
      const caller = await personIn(tx);
      const ref = { kind: bundle.kind, id: bundle.id };
      await project(tx, await rebase({ tx, caller, handlers }, ref));
    });
  }

  /** Replaces a stored user card by the server's present one, which the feed then keeps up to date. */
  async function renewCard(id: string): Promise<void> {
    try {
      await fetchAndKeep("user", id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === "forbidden") await deleteCard(db, id);
    }
  }

  return { fetchAndKeep, fetchWithTopic, renewCard };
}

/**
 * Fetches an object that was never here when it is opened, and stores it. Without the server it answers 503, not 404:
 * this replica cannot know (hosts-and-sync 3).
 */
export function onDemand(options: OnDemandOptions): RouteStep {
  const { db, engine } = options;
  const { fetchWithTopic, renewCard } = fetching(options);

  /** Whether this replica can answer alone: it holds the object, or the user's own work created or discarded it. */
  const isKnown = async (kind: string, id: string): Promise<boolean> =>
    (await isHeld(db, kind, id)) || (await hasOperation(db, id)) || (!engine.isOnline() && (await isDeleted(db, id)));

  /** Only the server knows what an access link opens beyond this replica's data; permissions add up (records 1.2). */
  async function bringsLink(req: Request, kind: string, id: string): Promise<boolean> {
    if (kind !== "record" || req.query.token === undefined || (await hasOperation(db, id))) return false;
    return isOfSomebodyElse(db, id, (await personIn(db)).userId ?? "");
  }

  const asksForWhatIsElsewhere = async (req: Request, { kind, id }: { kind: string; id: string }): Promise<boolean> =>
    (await bringsLink(req, kind, id)) || (await asksForPartElsewhere(db, req));

  return async (req, res) => {
    const { about, id } = routeOf(req);
    const kind = kinds[about];
    if (kind === undefined) return false;
    const target = { kind, id };
    if (kind === "user" && engine.isOnline() && (await isCardAlone(db, id)))
      await Promise.race([renewCard(id), setTimeout(cardWaitMs, undefined, { ref: false })]);
    if (await isKnown(kind, id)) {
      if (needsServer(req) || (!engine.isOnline() && (await asksForDraft(db, req, isDraftBeyond)))) {
        const isReached = await engine.reach();
        if (!isReached && (await asksForDraft(db, req, isDraftBeyond))) res.locals.unreached = serverNeeded(engine);
      }
      if (!engine.isOnline()) return false;
      return (await asksForWhatIsElsewhere(req, target)) && forwardAny(options, req, res);
    }
    if (!(await engine.reach())) {
      // The route checks method, type and syntax before existence (records 1.1).
      res.locals.unreached = (await isWithdrawn(db, id)) ? forbidden() : serverNeeded(engine);
      return false;
    }
    if (req.query.token !== undefined) {
      await forward(options, req, res);
      return true;
    }
    // A decision needs no right to read: a receiver may decide before the request reaches them (requests 5).
    if (about === "decision") return forwardAny(options, req, res);
    try {
      await fetchWithTopic(kind, id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The server itself gives the reason, such as a deleted record or a missing file (records 1.1, 4.7).
      if (kind === "record" && error.kind === "forbidden") return forwardAny(options, req, res);
      res.locals.unreached = error;
      return false;
    }
    // A user who holds the family without this draft or its review gets the answer from the server.
    const isHere = (await isKnown(kind, id)) && !(await asksForWhatIsElsewhere(req, target));
    return !isHere && forwardAny(options, req, res);
  };
}
