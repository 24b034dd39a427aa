import { type AccessService, levelFrom } from "../access/access.service.ts";
import { isAtLeast, type Level } from "../access/level.policy.ts";
import type { Db } from "../database/open.ts";
import type { AccessGrantRow, ParentRow, RequestRow } from "../database/schema.ts";
import { parentDoiScheme } from "../identifiers/pids.schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { unknownPid } from "../kernel/failure.ts";
import type { ObjectKind, ObjectRef } from "../kernel/object-ref.ts";
import { reviewingUsers } from "../requests/reviewer.policy.ts";
import { listPeople, listReviews, listRowsOf } from "./bundle.repository.ts";
import type { Bundle, BundleRow } from "./bundle.schema.ts";
import { bundleTables } from "./bundle-tables.ts";

type Rows = Record<string, BundleRow[]>;

/** All rows of some objects of one kind, by object. */
async function allRows(db: Db, kind: ObjectKind, ids: readonly string[]): Promise<Map<string, Rows>> {
  const found = new Map(ids.map((id): [string, Rows] => [id, {}]));
  for (const part of bundleTables[kind]) {
    if (part.isMade) continue;
    const byId = await listRowsOf(db, part, ids);
    for (const [id, rows] of found) rows[part.table] = byId.get(id) ?? [];
  }
  return found;
}

const textOf = (row: BundleRow, name: string): string => String(row[name] ?? "");

function isPublic(row: BundleRow, part: "record" | "files"): boolean {
  const access: Record<string, unknown> = JSON.parse(textOf(row, "access"));
  return access.record === "public" && (part === "record" || access.files === "public");
}

/** A public record, or the tombstone of one (records 4.7). */
export const isForEverybody = (row: BundleRow): boolean =>
  isPublic(row, "record") && (row.tombstone === null || JSON.parse(textOf(row, "tombstone")).is_visible !== false);

/** Reduces a deleted record to its tombstone. */
const asRead = (row: BundleRow): BundleRow =>
  row.tombstone === null ? row : { ...row, metadata: "{}", expanded: "{}", custom_fields: "{}", pids: "{}" };

interface Reader {
  userId: string | null;
  level: Level;
  /** Drafts that the reader may see, by level or as reviewer. */
  drafts: Set<string>;
}

/** The DOI of all versions belongs to none of them: for a reader it names one that they see. */
function pidsIn(rows: readonly BundleRow[], seen: ReadonlySet<string>): BundleRow[] {
  const [first] = seen;
  return rows.flatMap((row) => {
    if (seen.has(textOf(row, "record_id"))) return [row];
    return row.scheme === parentDoiScheme && first !== undefined ? [{ ...row, record_id: first }] : [];
  });
}

/** Only what the reader may read now (hosts-and-sync 6, Feed). */
function visibleFamily(rows: Rows, reader: Reader): Rows {
  const mayView = isAtLeast(reader.level, "view");
  const isManager = reader.level === "manage";
  const ofRecords = rows.record ?? [];
  const records = mayView ? ofRecords : ofRecords.filter(isForEverybody).map(asRead);
  const isOpen = (row: BundleRow): boolean => mayView || (row.tombstone === null && isPublic(row, "files"));
  const withFiles = new Set(records.filter(isOpen).map((row) => textOf(row, "id")));
  const drafts = (rows.draft ?? []).filter((row) => reader.drafts.has(textOf(row, "id")));
  const seen = new Set([...records, ...drafts].map((row) => textOf(row, "id")));
  return {
    parent: (rows.parent ?? []).map((row) => ({ ...row, viewer_level: reader.level })),
    record: records,
    draft: drafts,
    draft_review: (rows.draft_review ?? []).filter((row) => reader.drafts.has(textOf(row, "draft_id"))),
    document: (rows.document ?? []).filter((row) => reader.drafts.has(textOf(row, "draft_id"))),
    pid: pidsIn(rows.pid ?? [], seen),
    alias: (rows.alias ?? []).filter((row) => seen.has(textOf(row, "new_id"))),
    file_entry: (rows.file_entry ?? []).filter((row) =>
      (row.owner_kind === "draft" ? reader.drafts : withFiles).has(textOf(row, "owner_id")),
    ),
    access_link: isManager ? (rows.access_link ?? []) : [],
    access_grant: isManager ? (rows.access_grant ?? []) : [],
    conflict: (rows.conflict ?? []).filter((row) => row.user_id === reader.userId),
  };
}

/** Drafts of a family that the reader may see. */
async function seenDrafts(reading: Reading, level: Level, drafts: readonly BundleRow[]): Promise<Set<string>> {
  const { db, access, caller } = reading;
  const seen = new Set<string>();
  for (const row of drafts) {
    const draft = { id: textOf(row, "id"), parent_id: textOf(row, "parent_id") };
    const mayEdit = isAtLeast(level, "edit");
    if (mayEdit || isAtLeast((await access.ofDraft(db, caller, draft)).level, "preview")) seen.add(draft.id);
  }
  return seen;
}

/** A bundle, and the ids of users who appear in it. */
interface Exported {
  bundle: Bundle;
  people: Set<string>;
}

async function exportFamily(reading: Reading, id: string, rows: Rows): Promise<Exported> {
  const { caller } = reading;
  const parent = rows.parent?.[0] as unknown as ParentRow | undefined;
  if (!parent) throw unknownPid();
  if (rows.draft?.some((row) => row.request_id !== null)) rows.draft_review = await listReviews(reading.db, id);
  const level = levelFrom(caller, parent, (rows.access_grant ?? []) as unknown as AccessGrantRow[]);
  const drafts = await seenDrafts(reading, level, rows.draft ?? []);
  const visible = visibleFamily(rows, { userId: caller.userId, level, drafts });
  const named = (visible.access_grant ?? []).filter((row) => row.subject_type === "user");
  const receivers = (visible.draft_review ?? []).map((row) => textOf(row, "receiver_id"));
  const people = new Set([parent.owner_id, ...receivers, ...named.map((row) => textOf(row, "subject_id"))]);
  return { bundle: { kind: "family", id, rows: visible, people: [] }, people };
}

function exportRequest(id: string, rows: Rows): Exported {
  const people = new Set<string>();
  for (const row of (rows.request ?? []) as unknown as RequestRow[]) {
    people.add(row.creator_id);
    for (const user of reviewingUsers(row)) people.add(user);
  }
  for (const row of rows.event ?? []) people.add(textOf(row, "creator_id"));
  return { bundle: { kind: "request", id, rows, people: [] }, people };
}

/** The database and the caller who reads. */
export interface Reading {
  db: Db;
  access: AccessService;
  caller: Caller;
}

/** Another user's card: the public fields; empty if the profile is not public. */
async function exportPerson(db: Db, ref: ObjectRef): Promise<Bundle> {
  return { kind: "user", id: ref.id, rows: { user: await listPeople(db, [ref.id]), membership: [] }, people: [] };
}

async function exportOne(reading: Reading, { kind, id }: ObjectRef, rows: Rows): Promise<Exported> {
  if (kind === "family") return exportFamily(reading, id, rows);
  if (kind === "request") return exportRequest(id, rows);
  const ref = { kind, id };
  if (kind === "user" && id !== reading.caller.userId) {
    return { bundle: await exportPerson(reading.db, ref), people: new Set() };
  }
  return { bundle: { ...ref, rows, people: [] }, people: new Set() };
}

/**
 * Bundles of objects, in their order, as the reader may see them now. The caller must have checked that the reader may
 * read them.
 * @throws Failure 404 when one does not exist any more.
 */
export async function exportBundles(reading: Reading, refs: readonly ObjectRef[]): Promise<Bundle[]> {
  const rows = new Map<ObjectKind, Map<string, Rows>>();
  for (const [kind, group] of Map.groupBy(refs, (ref) => ref.kind)) {
    rows.set(kind, await allRows(reading.db, kind, [...new Set(group.map(({ id }) => id))]));
  }
  const exported: Exported[] = [];
  for (const ref of refs) exported.push(await exportOne(reading, ref, rows.get(ref.kind)?.get(ref.id) ?? {}));
  const everybody = new Set(exported.flatMap(({ people }) => [...people]));
  const cards = await listPeople(reading.db, [...everybody]);
  for (const { bundle, people } of exported) bundle.people = cards.filter((card) => people.has(textOf(card, "id")));
  return exported.map(({ bundle }) => bundle);
}

/** As `exportBundles`, for one object. */
export async function exportBundle(db: Db, access: AccessService, caller: Caller, ref: ObjectRef): Promise<Bundle> {
  const [bundle] = await exportBundles({ db, access, caller }, [ref]);
  if (!bundle) throw unknownPid();
  return bundle;
}
