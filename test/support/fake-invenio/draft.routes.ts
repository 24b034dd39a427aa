import { type Answer, denied, emptyAnswer, invalid, type Json, jsonAnswer, Refusal, serverError } from "./call.ts";
import {
  familyOf,
  latestOf,
  levelOf,
  nextDraftOf,
  present,
  publishErrors,
  reindex,
  requireDraft,
  requireDraftAt,
  requireRecord,
  touch,
} from "./content.ts";
import { type Context, plain, type Route, vendor } from "./route.ts";
import { type Content, contentFrom, type Family } from "./state.ts";
import { loadBody } from "./validation.ts";

const accepts = [plain, vendor];
type Errors = { field: string; messages: string[] }[];

/** Answers with a draft, its revision as ETag in a form that they do not take back (F1). */
function draftAnswer(context: Context, draft: Content, status: number, errors?: Errors): Answer {
  const level = levelOf(context, familyOf(context.site, draft));
  const body = present(context.site, draft, { isDraft: true, level, ...(errors ? { errors } : {}) });
  return jsonAnswer(body, status, { etag: `"${draft.revision}"` });
}

function emptyContent({ site }: Context, family: Family): Content {
  const now = site.clock.now();
  return {
    ...{ id: site.newId(), familyId: family.id, index: family.nextIndex, revision: 2, created: now, updated: now },
    ...{ metadata: {}, custom_fields: {}, pids: {}, filesEnabled: true, default_preview: null, order: [] },
    ...{ access: { record: "public", files: "public", embargo: { active: false, reason: null } }, files: new Map() },
  };
}

function create(context: Context): Answer {
  const { site, person } = context;
  if (!person) throw denied();
  const family: Family = {
    ...{ id: site.newId(), owner: person.id, grants: [], links: [], communities: [], nextIndex: 1 },
    settings: {
      allow_user_requests: false,
      allow_guest_requests: false,
      accept_conditions_text: null,
      secret_link_expiration: 0,
    },
  };
  const draft = emptyContent(context, family);
  const errors = loadBody(site, draft, context.json());
  family.nextIndex++;
  site.state.families.set(family.id, family);
  site.state.drafts.set(draft.id, draft);
  touch(site, draft);
  return draftAnswer(context, draft, 201, errors);
}

function read(context: Context): Answer {
  return draftAnswer(context, requireDraft(context, 1), 200);
}

function update(context: Context): Answer {
  // Overlapping saves end in a complaint about a value that is right, also with If-Match (F5, F24).
  if (context.overlaps) throw new Refusal(400, `Invalid value ${overlapValue(requireDraft(context, 2).metadata)}.`);
  const draft = requireDraftAt(context, 2);
  const errors = loadBody(context.site, draft, context.json());
  touch(context.site, draft);
  return draftAnswer(context, draft, 200, errors);
}

const overlapValue = (metadata: Json): string => String((metadata.resource_type as Json | undefined)?.id ?? "dataset");

function remove(context: Context): Answer {
  const { site } = context;
  const draft = requireDraftAt(context, 3);
  requireNoOpenReview(context, draft, "You cannot delete a draft with an open review. Please cancel the review first.");
  site.state.drafts.delete(draft.id);
  const family = familyOf(site, draft);
  if (!site.state.records.has(draft.id)) {
    site.state.usedIds.add(draft.id);
    if (family.nextIndex === draft.index + 1) family.nextIndex--;
  } else site.state.endedDrafts.set(draft.id, { revision: draft.revision, at: site.clock.now() });
  reindex(site, draft.id);
  return emptyAnswer();
}

/** While a review is open, publishing and deleting are refused (F21). */
function requireNoOpenReview({ site }: Context, draft: Content, message: string): void {
  const { reviewId } = familyOf(site, draft);
  if (reviewId !== undefined && site.state.requests.get(reviewId)?.status === "submitted")
    throw new Refusal(400, message);
}

/** `POST …/draft` of a record: its draft, made or found (F8). */
function edit(context: Context): Answer {
  const { site, params } = context;
  const known = site.state.drafts.get(params.id ?? "");
  if (known) return draftAnswer(context, requireDraft(context, 2), 201);
  const record = requireRecord(context, 2);
  const now = site.clock.now();
  const ended = site.state.endedDrafts.get(record.id);
  // A job removes deleted drafts for good after an hour (`cleanup_drafts`), and the next one counts from the beginning.
  const before = ended && now - ended.at < 3_600_000 ? ended : record;
  const draft = contentFrom(record, { revision: before.revision + 1, updated: now });
  site.state.drafts.set(draft.id, draft);
  touch(site, draft);
  return draftAnswer(context, draft, 201);
}

/** Makes or finds the next version's draft; at the same moment each call makes one (F8). */
function newVersion(context: Context): Answer {
  const { site } = context;
  const named = requireRecord(context, 2);
  const family = familyOf(site, named);
  const known = nextDraftOf(site, family.id);
  if (known && !context.overlaps) return draftAnswer(context, known, 201);
  const latest = latestOf(site.state.records.values(), family.id) ?? named;
  const { version: _version, publication_date: _date, ...metadata } = structuredClone(latest.metadata);
  const today = new Date(site.clock.now()).toISOString().slice(0, 10);
  const draft: Content = {
    ...emptyContent(context, family),
    metadata: { ...metadata, publication_date: today },
    custom_fields: structuredClone(latest.custom_fields),
    access: structuredClone(latest.access),
    filesEnabled: latest.filesEnabled,
  };
  family.nextIndex++;
  site.state.drafts.set(draft.id, draft);
  touch(site, draft);
  return draftAnswer(context, draft, 201);
}

/** Publishing takes no precondition and consumes the draft (F2, F9). */
function publish(context: Context): Answer {
  const { site } = context;
  if (context.overlaps) throw serverError();
  const draft = requireDraft(context, 3);
  requireNoOpenReview(
    context,
    draft,
    "You cannot publish a draft with an open review request. Please cancel the review request first.",
  );
  const family = familyOf(site, draft);
  if (site.switches.communityRequired && family.communities.length === 0)
    throw new Refusal(400, "Cannot publish without selecting a community.");
  return jsonAnswer(present(site, publishDraft(site, draft), { isDraft: false }), 202);
}

/** @throws Refusal 400 with what keeps it from being published. */
export function publishDraft(site: Context["site"], draft: Content): Content {
  const errors = publishErrors(site, draft);
  if (errors.length > 0) throw invalid(errors);
  const before = site.state.records.get(draft.id);
  const now = site.clock.now();
  const record = contentFrom(draft, {
    ...{ created: before?.created ?? now, updated: now, revision: (before?.revision ?? 0) + 2 },
    pids: { ...draft.pids, ...(draft.pids.doi ? {} : { doi: doiOf(draft.id) }), oai: oaiOf(draft.id) },
  });
  site.state.records.set(record.id, record);
  site.state.endedDrafts.set(draft.id, { revision: draft.revision, at: now });
  site.state.drafts.delete(draft.id);
  reindex(site, record.id);
  return record;
}

const doiOf = (id: string): Json => ({ identifier: `10.1234/${id}`, provider: "datacite", client: "datacite" });
const oaiOf = (id: string): Json => ({ identifier: `oai:127.0.0.1:${id}`, provider: "oai" });

function reserveDoi(context: Context): Answer {
  const { site } = context;
  const draft = requireDraft(context, 2);
  if (draft.pids.doi) throw new Refusal(400, "A PID already exists for type doi");
  // After `pids: {}` 13 knows the reservation and refuses another (F8).
  if (site.state.reservedDois.has(draft.id) && site.profile.version < 14)
    throw new Refusal(400, `The persistent identifier 'doi:10.1234/${draft.id}' is already registered.`);
  draft.pids = { ...draft.pids, doi: doiOf(draft.id) };
  site.state.reservedDois.set(draft.id, `10.1234/${draft.id}`);
  touch(site, draft);
  return draftAnswer(context, draft, 201);
}

function releaseDoi(context: Context): Answer {
  const { site } = context;
  const draft = requireDraft(context, 2);
  if (!draft.pids.doi) throw new Refusal(400, "No PID found for type doi");
  const { doi: _, ...pids } = draft.pids;
  draft.pids = pids;
  site.state.reservedDois.delete(draft.id);
  touch(site, draft);
  return draftAnswer(context, draft, 200);
}

const at = "/api/records/:id";
export const draftRoutes: readonly Route[] = [
  { method: "POST", path: "/api/records", accepts, run: create },
  { method: "GET", path: `${at}/draft`, accepts, run: read },
  { method: "PUT", path: `${at}/draft`, accepts, run: update },
  { method: "DELETE", path: `${at}/draft`, accepts, run: remove },
  { method: "POST", path: `${at}/draft`, accepts, run: edit },
  { method: "POST", path: `${at}/versions`, accepts, run: newVersion },
  { method: "POST", path: `${at}/draft/actions/publish`, accepts, run: publish },
  { method: "POST", path: `${at}/draft/pids/doi`, accepts, run: reserveDoi },
  { method: "DELETE", path: `${at}/draft/pids/doi`, accepts, run: releaseDoi },
];
