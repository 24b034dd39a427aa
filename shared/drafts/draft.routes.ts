import type { Request, Response, Router } from "express";
import type { AccessService } from "../access/access.service.ts";
import { answerNothing } from "../kernel/answer.ts";
import type { Caller } from "../kernel/caller.ts";
import { demandedRevision, etagOf, prefersMerge } from "../kernel/conditional-requests.ts";
import type { Problem } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, type Method, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import type { SyncMark } from "../kernel/sync-mark.ts";
import type { RecordExpander } from "../records/expand.ts";
import type { RecordService } from "../records/record.service.ts";
import type { RecordBodies } from "../records/record-facts.service.ts";
import { answerRecord, asRecord } from "../representations/answer-record.ts";
import type { ReviewService } from "../requests/review.service.ts";
import type { DiscardService } from "./discard.service.ts";
import type { DraftService, Saved } from "./draft.service.ts";
import type { ShownDraft } from "./draft-edit.service.ts";
import type { EditPublishedService } from "./edit-published.service.ts";
import type { PublishedRecord, PublishService } from "./publish.service.ts";

export interface DraftRouteServices {
  host: Host;
  access: AccessService;
  records: RecordService;
  bodies: RecordBodies;
  expander: RecordExpander;
  drafts: DraftService;
  discarding: DiscardService;
  editing: EditPublishedService;
  publishing: PublishService;
  reviews: Pick<ReviewService, "assertBody" | "put" | "putWithDraft">;
  /** GET of the collection, which is a search. */
  listRecords: Method;
}

/** Details of an answer with a draft. */
interface Shown {
  problems?: Problem[];
  /** The merged paths. */
  merged?: string[] | undefined;
  /** The `sync` mark of the decision that was just requested. */
  sync?: SyncMark;
  /** The state to answer with; by default the present one. */
  shown?: ShownDraft | undefined;
}

/** The header that names the exact state on a replica, where revisions are provisional (hosts-and-sync 3). */
const stateHeader = "Draft-State";

/** The header that names the open editor which saves: one of the app's pages. */
const editorHeader = "Draft-Editor";
const editorName = /^[\w-]{1,64}$/;

/** The editor's name; another text than a name counts as none. */
const editorOf = (req: Request): string | undefined => editorName.exec(req.get(editorHeader) ?? "")?.[0];

/** The review in the body of a new draft, if any (requests-users-groups 4.1). */
function reviewIn(body: unknown): unknown {
  const { parent } = (body ?? {}) as { parent?: { review?: unknown } | null };
  return parent?.review ?? undefined;
}

/**
 * Creates a draft and its review, or neither. The server uses one write; a replica deletes its draft after a refusal.
 */
async function createWithReview(
  { host, drafts, reviews, discarding }: DraftRouteServices,
  caller: Caller,
  body: unknown,
  review: unknown,
): Promise<Saved> {
  const reviewId = host.newUuid();
  const { decides } = host.abilities;
  if (decides) return drafts.createFrom(caller, body, reviews.putWithDraft(caller, reviewId, review));
  await reviews.assertBody(caller, review);
  const saved = await drafts.createFrom(caller, body);
  try {
    await reviews.put(caller, { draftId: saved.id, id: reviewId, body: review });
  } catch (error) {
    await discarding.discard(caller, { id: saved.id }, undefined);
    throw error;
  }
  // The draft has its review since.
  return { ...saved, shown: undefined };
}

/**
 * On a replica, the hash of the draft that the user sees. The server publishes only this content (hosts-and-sync 4).
 */
async function seenContent({ host, records, publishing }: DraftRouteServices, id: string): Promise<string | undefined> {
  const { draft } = await records.findRows(host.db, id);
  return draft && publishing.hashOf(host.db, draft);
}

/** Publishes what the user sees. @returns besides, on the server, the record as it was written. */
async function publishSeen(services: DraftRouteServices, caller: Caller, id: string) {
  const { host, publishing } = services;
  if (!host.abilities.decides)
    return {
      ...(await publishing.publish(caller, { id, expected: await seenContent(services, id) })),
      published: undefined,
    };
  // Work that conflicted runs again. A repeated call publishes nothing.
  let published: PublishedRecord | undefined;
  const wrote = (after: PublishedRecord): void => {
    published = after;
  };
  const outcome = await publishing.publish(caller, { id }, wrote);
  return { ...outcome, published };
}

/** Creates, reads, replaces, discards and publishes drafts (records 3.1). */
export function draftRoutes(services: DraftRouteServices): Router {
  const { host, access, records, bodies, expander, drafts, discarding, editing } = services;
  const router = routesAbout("draft");

  async function answerDraft(
    req: Request,
    res: Response,
    status: number,
    id: string,
    { problems = [], merged, sync, shown }: Shown = {},
  ) {
    const current = shown ?? (await drafts.look(id));
    const { draft, parent, files } = current;
    const family = current.family ?? (await access.requireDraft(host.db, callerOf(req), draft, "preview", parent));
    const body = await bodies.ofDraft(host.db, draft, family, files ? { files } : {});
    const errors = problems.length > 0 ? { errors: problems } : {};
    const extras = { ...(sync ? { sync } : {}), ...errors, ...(merged ? { merged } : {}) };
    const whole = await expander.one(req, { ...body, ...extras });
    const state = drafts.show(current);
    if (state !== undefined) res.setHeader(stateHeader, state);
    await answerRecord(req, res, status, whole, { etag: etagOf(draft.revision_id) });
  }

  async function startEdit(req: Request, res: Response): Promise<void> {
    const { id } = await editing.start(callerOf(req), { id: pathPart(req, "id") });
    await answerDraft(req, res, 201, id);
  }

  resource(router, "/records", {
    about: "library",
    isSearch: true,
    GET: services.listRecords,
    POST: asRecord(async (req, res) => {
      const review = reviewIn(req.body);
      const { id, problems, shown } =
        review === undefined
          ? await drafts.createFrom(callerOf(req), req.body)
          : await createWithReview(services, callerOf(req), req.body, review);
      await answerDraft(req, res, 201, id, { problems, shown });
    }),
  });

  resource(router, "/records/:id/draft", {
    GET: asRecord((req, res) => answerDraft(req, res, 200, pathPart(req, "id"))),
    PUT: asRecord(async (req, res) => {
      const ifMatch = demandedRevision(req.headers);
      const preferences = { prefersMerge: prefersMerge(req.headers.prefer), state: req.get(stateHeader) };
      const basis = { ifMatch, ...preferences, editor: editorOf(req) };
      const { id, ...saved } = await drafts.replace(callerOf(req), pathPart(req, "id"), req.body, basis);
      if (saved.merged) res.setHeader("Preference-Applied", "handling=merge");
      await answerDraft(req, res, 200, id, saved);
    }),
    // POST starts an edit draft, so there need not be one.
    POST: { ...withoutBody(asRecord(startEdit)), about: "record" },
    DELETE: withoutBody(async (req, res) => {
      const ifMatch = demandedRevision(req.headers);
      await discarding.discard(callerOf(req), { id: pathPart(req, "id") }, ifMatch);
      answerNothing(res);
    }),
  });

  resource(router, "/records/:id/draft/actions/publish", {
    POST: withoutBody(
      asRecord(async (req, res) => {
        const caller = callerOf(req);
        const id = pathPart(req, "id");
        const outcome = await publishSeen(services, caller, id);
        if (outcome.state === "queued") return answerDraft(req, res, 202, id, outcome);
        const found = outcome.published ?? (await records.find(host.db, caller, outcome.result.id));
        const body = await bodies.ofRecord(host.db, found.record, found.family);
        await answerRecord(req, res, 202, await expander.one(req, body), { etag: etagOf(found.record.revision_id) });
      }),
    ),
  });

  return router;
}
