import { setTimeout } from "node:timers/promises";
import type { Request, RequestHandler } from "express";
import { bundleSchema } from "../../shared/bundles/bundle.schema.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { Failure, forbidden } from "../../shared/kernel/failure.ts";
import type { CommandHandler, ObjectRef } from "../../shared/kernel/host.ts";
import { upsertBase } from "../sync/base.repository.ts";
import { isGone } from "../sync/gone.repository.ts";
import { wireHeaders } from "../sync/line.ts";
import { hasOperation } from "../sync/operation.repository.ts";
import { personIn } from "../sync/person.ts";
import { rebase } from "../sync/rebase.ts";
import { bodyOf, httpTransport } from "../sync/transport.ts";
import { isWithdrawn } from "../sync/withdrawn.repository.ts";
import { type Forwarding, forward, forwardWhole, outOfReach, serverNeeded } from "./forward.ts";
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

const pathPattern = /^\/api\/(records|requests|users|groups)\/([^/]+)/;
/** Pictures and archives of records and drafts stand under other paths. */
const aroundRecord = /^\/api\/(?:iiif\/(?:record|draft)(?::|%3[Aa])|sync\/drafts\/)([^/:]+)/;
/** Whatever needs a draft to be there. */
const draftPath =
  /^\/api\/(?:records\/([^/]+)\/draft(?:\/|$)|sync\/drafts\/([^/]+)\/|iiif\/draft(?::|%3[Aa])([^/:]+)\/)/;
/** A decision needs no right to read: a receiver may decide before the request was sent to her (requests 5). */
const decision = /^\/api\/requests\/[^/]+\/actions\//;
const filesPath = /^\/api\/records\/([^/]+)\/files\//;
const reviewOfDraft = /^\/api\/records\/([^/]+)\/draft\/(?:review|actions\/submit-review)\/?$/;

/** Longer nobody waits for news of somebody whose card is here. */
const cardWaitMs = 2000;

function askedFor(req: Request): { kind: string; id: string } | undefined {
  // What a path offers is known without what stands there.
  if (!/^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(req.method)) return undefined;
  const around = aroundRecord.exec(req.path)?.[1];
  if (around !== undefined) return { kind: "record", id: decodeURIComponent(around) };
  const [, kind, id] = pathPattern.exec(req.path) ?? [];
  if (kind === undefined || id === undefined) return undefined;
  return { kind: kind.slice(0, -1), id: decodeURIComponent(id) };
}

/** Somebody else's record is held here without a draft: whether there is one is not for this replica to say. */
async function asksForDraft(db: Db, req: Request, isAbsent: typeof isDraftElsewhere): Promise<boolean> {
  const [, ofRecord, ofContainer, ofPicture] = draftPath.exec(req.path) ?? [];
  const encoded = ofRecord ?? ofContainer ?? ofPicture;
  // Starting an edit is work of this computer.
  if (encoded === undefined || (req.method === "POST" && /\/draft\/?$/.test(req.path))) return false;
  const id = decodeURIComponent(encoded);
  const { userId } = await personIn(db);
  return !(await hasOperation(db, id)) && (await isAbsent(db, id, userId ?? ""));
}

/** The draft is held here, its review is not: somebody else made it, and it is not for this person to read. */
async function asksForReviewElsewhere(db: Db, req: Request): Promise<boolean> {
  const [, draftId] = reviewOfDraft.exec(req.path) ?? [];
  return draftId !== undefined && (await isReviewElsewhere(db, draftId));
}

/** Which files a record has that she may not read only the server knows (records 1.1, order of checks). */
async function asksForFilesElsewhere(db: Db, req: Request): Promise<boolean> {
  const [, id] = filesPath.exec(req.path) ?? [];
  return id !== undefined && (await areFilesElsewhere(db, decodeURIComponent(id), (await personIn(db)).userId ?? ""));
}

const asksForPartElsewhere = async (db: Db, req: Request): Promise<boolean> =>
  (await asksForReviewElsewhere(db, req)) ||
  (await asksForFilesElsewhere(db, req)) ||
  (await asksForDraft(db, req, isDraftElsewhere));

/**
 * What was never held here is fetched from the server when it is opened, and kept. Without the server it is 503, not 404: this replica cannot know (hosts-and-sync 3).
 */
export function onDemand(options: OnDemandOptions): RequestHandler {
  const { db, engine } = options;

  /** What makes the answers here those of the server: who reads a request by its topic needs the topic. */
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
    const { connection } = engine;
    if (!connection || !engine.isOnline()) throw serverNeeded();
    const { signal } = engine.line;
    const transport = httpTransport({ ...connection, headers: wireHeaders, signal });
    let body: unknown;
    try {
      body = bodyOf(await transport.call("POST", "/api/sync/open", { kind, id }));
    } catch (error) {
      throw outOfReach(engine, signal, error);
    }
    const bundle = bundleSchema.parse(body);
    await transaction(db, async (tx) => {
      // The feed brings it with its position; until then this is the server's last word.
      await upsertBase(tx, { kind: bundle.kind, object_id: bundle.id, seq: 0, bundle: JSON.stringify(bundle) });
      const caller = await personIn(tx);
      const ref = { kind: bundle.kind, id: bundle.id };
      await options.project(tx, await rebase({ tx, caller, handlers: options.handlers }, ref));
    });
  }

  /** A card of before is replaced by what the server says now, and so is whatever becomes of it from then on. */
  async function renewCard(id: string): Promise<void> {
    try {
      await fetchAndKeep("user", id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === "forbidden") await deleteCard(db, id);
    }
  }

  /** Whether what is here says all: the thing itself, or the person's own work that made or discarded it. */
  const isKnown = async (kind: string, id: string): Promise<boolean> =>
    (await isHeld(db, kind, id)) || (await hasOperation(db, id)) || (!engine.isOnline() && (await isGone(db, id)));

  /** What a link opens beyond what is held here only the server knows; permissions add up (records 1.2). */
  async function bringsLink(req: Request, kind: string, id: string): Promise<boolean> {
    if (kind !== "record" || req.query.token === undefined || (await hasOperation(db, id))) return false;
    return isOfSomebodyElse(db, id, (await personIn(db)).userId ?? "");
  }

  const asksForWhatIsElsewhere = async (req: Request, { kind, id }: { kind: string; id: string }): Promise<boolean> =>
    (await bringsLink(req, kind, id)) || (await asksForPartElsewhere(db, req));

  return async (req, res, next) => {
    const asked = askedFor(req);
    if (!asked) return next();
    if (asked.kind === "user" && engine.isOnline() && (await isCardAlone(db, asked.id)))
      await Promise.race([renewCard(asked.id), setTimeout(cardWaitMs, undefined, { ref: false })]);
    if (await isKnown(asked.kind, asked.id)) {
      if (engine.isOnline())
        return (await asksForWhatIsElsewhere(req, asked)) ? forwardWhole(options, req, res) : next();
      if (await asksForDraft(db, req, isDraftBeyond)) res.locals.unreached = serverNeeded();
      return next();
    }
    if (!engine.isOnline()) {
      // Judged where the route stands: method, type and syntax come before what there is (records 1.1).
      res.locals.unreached = (await isWithdrawn(db, asked.id)) ? forbidden() : serverNeeded();
      return next();
    }
    if (req.query.token !== undefined) return forward(options, req, res);
    if (decision.test(req.path)) return forwardWhole(options, req, res);
    try {
      await fetchWithTopic(asked.kind, asked.id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Why not the server says itself: a deleted record is gone for everybody, a missing file is missing (records 1.1, 4.7).
      if (asked.kind === "record" && error.kind === "forbidden") return forwardWhole(options, req, res);
      res.locals.unreached = error;
      return next();
    }
    // Who may hold the family without this draft of it, or without its review, hears of that from the server.
    const isHere = (await isKnown(asked.kind, asked.id)) && !(await asksForWhatIsElsewhere(req, asked));
    return isHere ? next() : forwardWhole(options, req, res);
  };
}
