import { type Answer, denied, type Json, jsonAnswer, noSuchPid, Refusal } from "./call.ts";
import { familyOf, latestOf, levelOf, present, requireRecord } from "./content.ts";
import type { Indexed } from "./index-queue.ts";
import { type Context, negotiated, plain, type Route, vendor } from "./route.ts";
import { fits, pageOf, sorted, sortOf } from "./search.ts";

const accepts = [plain, vendor];
const sorts = ["bestmatch", "newest", "oldest", "updated-desc", "updated-asc", "version"];

/** On Zenodo `application/json` is the old form of records (F15). */
function formOf({ site, call }: Context, body: Json): Json {
  const type = negotiated(call.headers.accept, accepts);
  if (type === vendor) return { ...body, ui: {} };
  if (!site.profile.legacyJson) return body;
  const { id, created, updated, metadata, links } = body;
  return {
    id: Number(id),
    created,
    modified: updated,
    metadata: { ...(metadata as Json), doi: "" },
    links,
    conceptrecid: "",
  };
}

function read(context: Context): Answer {
  const record = requireRecord(context);
  const level = levelOf(context, familyOf(context.site, record));
  const body = formOf(context, present(context.site, record, { isDraft: false, level }));
  return jsonAnswer(body, 200, { etag: `"${record.revision}"` });
}

function presentHit(context: Context, { content, isDraft }: Indexed): Json {
  const { site } = context;
  const level = levelOf(context, familyOf(site, content));
  const presented = { ...present(site, content, { isDraft, level }), is_draft: isDraft };
  return site.switches.oddHits.has(content.id) ? { ...presented, files: { enabled: true, order: null } } : presented;
}

function listAnswer(context: Context, found: Indexed[], usual: string): Answer {
  const sort = sortOf(context, usual, sorts);
  const inOrder = sorted(
    found.map((document) => ({ document, created: document.content.created, updated: document.content.updated })),
    sort,
  );
  const { hits, body } = pageOf(context, inOrder, sort);
  const presented = hits.map(({ document }) => formOf(context, presentHit(context, document)));
  return jsonAnswer({ ...body, hits: { hits: presented, total: found.length }, aggregations: {} });
}

/** Lists know of a grant late (F17). */
function isListedFor(context: Context, { content }: Indexed): boolean {
  const { site, person } = context;
  const family = site.state.families.get(content.familyId);
  if (!family || !person) return false;
  if (family.owner === person.id) return true;
  // Who may only view reads no drafts, and this list is of what they may read as drafts (F17).
  return family.grants.some(
    ({ subject, permission, listedAt }) =>
      permission !== "view" &&
      subject.type === "user" &&
      subject.id === String(person.id) &&
      listedAt <= site.clock.now(),
  );
}

/** Own and shared drafts and records, the latest of each family (F17). */
function userRecords(context: Context): Answer {
  const { site, person, query } = context;
  if (!person) throw denied();
  const own = site.index.list(site.clock.now()).filter((document) => isListedFor(context, document));
  const { allVersions } = site.switches;
  const wantsAll = query.get("allversions") === "true";
  if (wantsAll && allVersions === "refused") throw new Refusal(400, "A validation error occurred.");
  const latest = wantsAll && allVersions === "listed" ? own : own.filter((document) => isNewest(own, document));
  const published = query.get("is_published");
  const found = latest.filter(
    ({ content, isPublished }) =>
      fits(content, query.get("q") ?? "") && (published === null || String(isPublished) === published),
  );
  return listAnswer(context, found, "updated-desc");
}

const isNewest = (all: Indexed[], { content }: Indexed): boolean =>
  !all.some((other) => other.content.familyId === content.familyId && other.content.index > content.index);

function search(context: Context): Answer {
  const { site, query } = context;
  const { records } = site.state;
  const found = site.index
    .list(site.clock.now())
    .filter(({ content, isPublished }) => isPublished && fits(content, query.get("q") ?? ""))
    .flatMap(({ content }): Indexed[] => {
      const record = records.get(content.id);
      const isLatest = record && latestOf(records.values(), record.familyId)?.id === record.id;
      return record && isLatest && record.access.record === "public"
        ? [{ content: record, isDraft: false, isPublished: true }]
        : [];
    });
  return listAnswer(context, found, query.has("q") ? "bestmatch" : "newest");
}

function versions(context: Context): Answer {
  const { site, params } = context;
  const named = site.state.records.get(params.id ?? "") ?? site.state.drafts.get(params.id ?? "");
  if (!named) throw noSuchPid();
  if (named.access.record !== "public" && levelOf(context, familyOf(site, named)) < 0) throw denied();
  const found = site.index
    .list(site.clock.now())
    .filter(({ content, isPublished }) => content.familyId === named.familyId && isPublished);
  return listAnswer(context, found, "version");
}

function latest(context: Context): Answer {
  const record = requireRecord(context);
  const newest = latestOf(context.site.state.records.values(), record.familyId) ?? record;
  const location = `${context.site.url}/api/records/${newest.id}`;
  return {
    ...jsonAnswer({ status: 301, message: "Moved Permanently.", location }, 301),
    headers: { location, "content-type": plain },
  };
}

export const recordRoutes: readonly Route[] = [
  { method: "GET", path: "/api/user/records", accepts, run: userRecords },
  { method: "GET", path: "/api/records", accepts, run: search },
  { method: "GET", path: "/api/records/:id", accepts, run: read },
  { method: "GET", path: "/api/records/:id/versions", accepts, run: versions },
  { method: "GET", path: "/api/records/:id/versions/latest", accepts, run: latest },
];
