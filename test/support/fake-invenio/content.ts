import { denied, type Json, listOf, noSuchPid, notFound, objectOf, Refusal } from "./call.ts";
import { type Context, checkRevision, type Site } from "./route.ts";
import type { Content, Family, Grant, Person, RecordRow } from "./state.ts";
import { checksumOf } from "./stored-file.ts";
import { completeness } from "./validation.ts";
import { titlesOf } from "./vocabulary-entries.ts";

const levels = ["view", "preview", "edit", "manage"];

function grantLevel(grants: Grant[], person: Person): number {
  const own = grants.filter(({ subject }) => subject.type === "user" && subject.id === String(person.id));
  return Math.max(-1, ...own.map(({ permission }) => levels.indexOf(permission)));
}

function linkLevel(site: Site, family: Family, query: URLSearchParams): number {
  const token = query.get("token");
  const link = family.links.find((each) => each.token === token);
  if (!link || (link.expires_at && Date.parse(link.expires_at) < site.clock.now())) return -1;
  return levels.indexOf(link.permission);
}

/** The receiver of an open review may edit the draft (F21). */
function isReviewer(site: Site, family: Family, person: Person): boolean {
  const review = family.reviewId === undefined ? undefined : site.state.requests.get(family.reviewId);
  if (review?.status !== "submitted") return false;
  return site.state.communities.get(review.receiver.community ?? "")?.members.has(person.id) ?? false;
}

/** What the caller may do with a family: -1 nothing, 0 view, 1 preview, 2 edit, 3 manage. */
export function levelOf({ site, person, query }: Context, family: Family): number {
  const byLink = linkLevel(site, family, query);
  if (!person) return byLink;
  if (family.owner === person.id) return 3;
  return Math.max(byLink, grantLevel(family.grants, person), isReviewer(site, family, person) ? 2 : -1);
}

export function familyOf(site: Site, { familyId }: Content): Family {
  const family = site.state.families.get(familyId);
  if (!family) throw new Error(`no family ${familyId}`);
  return family;
}

export function requireDraft(context: Context, atLeast: number): Content {
  const { site, params } = context;
  const draft = site.state.drafts.get(params.id ?? "");
  if (!draft) throw site.state.records.has(params.id ?? "") ? notFound() : noSuchPid();
  if (levelOf(context, familyOf(site, draft)) < atLeast) throw denied();
  return draft;
}

/** A draft whose files may change. Those of a published record may not, in an edit of it either. */
export function requireOpenFiles(context: Context): Content {
  const draft = requireDraft(context, 2);
  if (context.site.state.records.has(draft.id)) throw new Refusal(403, "Bucket is locked for modifications.");
  return draft;
}

/** As for writing: the revision is compared before the rights are (F1). */
export function requireDraftAt(context: Context, atLeast: number): Content {
  const known = context.site.state.drafts.get(context.params.id ?? "");
  if (known) checkRevision(context, known.revision);
  return requireDraft(context, atLeast);
}

export function requireRecord(context: Context, atLeast = 0): RecordRow {
  const { site, params } = context;
  const id = params.id ?? "";
  const record = site.state.records.get(id);
  if (!record)
    throw site.state.drafts.has(id) ? new Refusal(404, "The persistent identifier is not registered.") : noSuchPid();
  if (record.tombstone) throw new Refusal(410, "Record deleted", { tombstone: record.tombstone });
  const isOpen = record.access.record === "public" && atLeast === 0;
  if (!isOpen && levelOf(context, familyOf(site, record)) < atLeast) throw denied();
  return record;
}

export const latestOf = (rows: Iterable<Content>, familyId: string): Content | undefined =>
  [...rows].filter((row) => row.familyId === familyId).sort((a, b) => b.index - a.index)[0];

/** The newest draft of the family that is no edit of a record, if there is one. */
export const nextDraftOf = (site: Site, familyId: string): Content | undefined =>
  latestOf(
    [...site.state.drafts.values()].filter(({ id }) => !site.state.records.has(id)),
    familyId,
  );

/** Tells the index of a draft or a record as it is now. */
export function reindex(site: Site, id: string, lagMs = site.switches.indexLagMs): void {
  const { drafts, records } = site.state;
  const draft = drafts.get(id);
  const record = records.get(id);
  const at = site.clock.now() + lagMs;
  const [content] = [draft, record].filter((each) => each !== undefined && !(each as RecordRow).tombstone);
  const document = content && { content, isDraft: draft !== undefined, isPublished: record !== undefined };
  site.index.put(id, at, document);
}

export function touch(site: Site, draft: Content, revisions = 2): void {
  draft.revision += revisions;
  draft.updated = site.clock.now();
  reindex(site, draft.id);
}

function fileStatus({ access, files, filesEnabled }: Content): string {
  if (objectOf(access.embargo).active === true) return "embargoed";
  if (access.record === "restricted" || access.files === "restricted") return "restricted";
  return filesEnabled && files.size > 0 ? "open" : "metadata-only";
}

/** `files` of a draft or a record. */
function presentFiles(site: Site, content: Content): Json {
  const done = [...content.files.values()].filter(({ status }) => status === "completed");
  return {
    enabled: content.filesEnabled,
    ...(content.default_preview ? { default_preview: content.default_preview } : {}),
    order: content.order,
    count: done.length,
    total_bytes: done.reduce((sum, { size }) => sum + (size ?? 0), 0),
    entries: Object.fromEntries(
      done.map((file) => [
        file.key,
        {
          id: file.id,
          checksum: checksumOf(site, file),
          ext: file.key.split(".").at(-1)?.toLowerCase(),
          size: file.size,
          mimetype: "application/octet-stream",
          storage_class: "L",
          key: file.key,
          metadata: Object.keys(file.metadata).length === 0 ? null : file.metadata,
          access: { hidden: file.hidden },
        },
      ]),
    ),
  };
}

function linksOf(site: Site, content: Content, isDraft: boolean): Json {
  const api = `${site.url}/api/records/${content.id}`;
  const own = isDraft ? `${api}/draft` : api;
  return {
    self: own,
    self_html: isDraft ? `${site.url}/uploads/${content.id}` : `${site.url}/records/${content.id}`,
    files: `${own}/files`,
    record: api,
    versions: `${api}/versions`,
    latest: `${api}/versions/latest`,
    access_links: `${api}/access/links`,
    access_users: `${api}/access/users`,
    ...(isDraft
      ? {
          publish: `${own}/actions/publish`,
          review: `${own}/review`,
          "submit-review": `${own}/actions/submit-review`,
          reserve_doi: `${own}/pids/doi`,
        }
      : { draft: `${api}/draft`, communities: `${api}/communities`, requests: `${api}/requests` }),
  };
}

function presentParent(site: Site, family: Family, isManager: boolean): Json {
  return {
    id: family.id,
    access: {
      owned_by: { user: String(family.owner) },
      settings: family.settings,
      ...(isManager
        ? {
            grants: family.grants.map(({ subject, permission }) => ({ subject, permission, origin: null })),
            links: family.links.map(({ token: _, ...link }) => ({ ...link, created_at: site.clock.iso(link.created) })),
          }
        : {}),
    },
    communities: family.communities.length === 0 ? {} : { ids: family.communities, default: family.communities[0] },
    pids: {},
    ...(family.reviewId === undefined ? {} : { review: presentReview(site, family.reviewId) }),
  };
}

function presentReview(site: Site, id: string): Json {
  const review = site.state.requests.get(id);
  return review === undefined
    ? {}
    : {
        id,
        type: review.type,
        receiver: review.receiver,
        status: review.status,
        links: { self: `${site.url}/api/requests/${id}` },
      };
}

export interface Present {
  isDraft: boolean;
  level?: number;
  errors?: { field: string; messages: string[] }[];
}

/** A draft or a record as JSON. */
export function present(site: Site, content: Content, { isDraft, level = 3, errors }: Present): Json {
  const { records, drafts } = site.state;
  const family = familyOf(site, content);
  const isPublished = records.has(content.id);
  const newest = latestOf(records.values(), family.id);
  const newestDraft = nextDraftOf(site, family.id);
  return {
    created: site.clock.iso(content.created),
    updated: site.clock.iso(content.updated),
    id: content.id,
    revision_id: content.revision,
    links: linksOf(site, content, isDraft),
    parent: presentParent(site, family, level >= 3),
    versions: {
      index: content.index,
      is_latest: newest?.id === content.id,
      is_latest_draft: (newestDraft ?? newest)?.id === content.id,
    },
    is_published: isPublished,
    is_draft: isDraft,
    status: isDraft ? draftStatus(site, family, content) : "published",
    pids: content.pids,
    metadata: titlesOf(content.metadata),
    custom_fields: content.custom_fields,
    access: { ...content.access, status: fileStatus(content) },
    files: presentFiles(site, content),
    media_files: { enabled: false, order: [], count: 0, total_bytes: 0, entries: {} },
    deletion_status: { is_deleted: false, status: "P" },
    ...(isDraft
      ? { expires_at: `${new Date(content.updated + 30 * 86_400_000).toISOString().slice(0, 10)} 00:00:00` }
      : {}),
    ...(isPublished && !isDraft && drafts.has(content.id) ? { has_draft: true } : {}),
    ...(errors === undefined || errors.length === 0 ? {} : { errors }),
  };
}

function draftStatus(site: Site, family: Family, content: Content): string {
  if (site.state.records.has(content.id)) return "draft";
  const review = family.reviewId === undefined ? undefined : site.state.requests.get(family.reviewId);
  if (review?.status === "submitted") return "in_review";
  if (review && review.status === "created") return "draft_with_review";
  return family.nextIndex > 2 && content.index > 1 ? "new_version_draft" : "draft";
}

/** What keeps this draft from being published. */
export function publishErrors(site: Site, draft: Content): { field: string; messages: string[] }[] {
  const errors = completeness(site, draft);
  if (draft.filesEnabled && draft.files.size === 0)
    errors.push({
      field: "files.enabled",
      messages: ["Missing uploaded files. To disable files for this record please mark it as metadata-only."],
    });
  const pending = [...draft.files.values()].filter(({ status }) => status !== "completed");
  if (pending.length > 0)
    errors.push({ field: "files", messages: ["One or more files have not completed their transfer, please wait."] });
  return errors;
}

export const bodyList = (value: unknown): Json[] => listOf(value).map(objectOf);
