import type { AccessService } from "../access/access.service.ts";
import { isAtLeast, type Level } from "../access/level.policy.ts";
import type { Db } from "../database/open.ts";
import type { Caller } from "../kernel/caller.ts";
import type { ObjectRef } from "../kernel/host.ts";
import { listPeople, listReviews, listRows } from "./bundle.repository.ts";
import type { Bundle, BundleRow } from "./bundle.schema.ts";
import { bundleTables } from "./bundle-tables.ts";

type Rows = Record<string, BundleRow[]>;

async function allRows(db: Db, ref: ObjectRef): Promise<Rows> {
  const rows: Rows = {};
  for (const part of bundleTables[ref.kind]) {
    if (!part.isMade) rows[part.table] = await listRows(db, part, ref.id);
  }
  return rows;
}

const textOf = (row: BundleRow, name: string): string => String(row[name] ?? "");

function isPublic(row: BundleRow, part: "record" | "files"): boolean {
  const access: Record<string, unknown> = JSON.parse(textOf(row, "access"));
  return access.record === "public" && (part === "record" || access.files === "public");
}

interface Reader {
  userId: string | null;
  level: Level;
  /** Drafts that the reader may see: by level, or as the reviewer of one. */
  drafts: Set<string>;
}

/** Only what the reader may read at this moment (hosts-and-sync 6, Feed). */
function visibleFamily(rows: Rows, reader: Reader): Rows {
  const mayView = isAtLeast(reader.level, "view");
  const isManager = reader.level === "manage";
  const records = (rows.record ?? []).filter((row) => mayView || isPublic(row, "record"));
  const withFiles = new Set(records.filter((row) => mayView || isPublic(row, "files")).map((row) => textOf(row, "id")));
  const drafts = (rows.draft ?? []).filter((row) => reader.drafts.has(textOf(row, "id")));
  const seen = new Set([...records, ...drafts].map((row) => textOf(row, "id")));
  return {
    parent: (rows.parent ?? []).map((row) => ({ ...row, viewer_level: reader.level })),
    record: records,
    draft: drafts,
    draft_review: (rows.draft_review ?? []).filter((row) => reader.drafts.has(textOf(row, "draft_id"))),
    document: (rows.document ?? []).filter((row) => reader.drafts.has(textOf(row, "draft_id"))),
    pid: (rows.pid ?? []).filter((row) => seen.has(textOf(row, "record_id"))),
    alias: (rows.alias ?? []).filter((row) => seen.has(textOf(row, "new_id"))),
    file_entry: (rows.file_entry ?? []).filter((row) =>
      (row.owner_kind === "draft" ? reader.drafts : withFiles).has(textOf(row, "owner_id")),
    ),
    access_link: isManager ? (rows.access_link ?? []) : [],
    access_grant: isManager ? (rows.access_grant ?? []) : [],
    conflict: (rows.conflict ?? []).filter((row) => row.user_id === reader.userId),
  };
}

async function exportFamily(db: Db, access: AccessService, caller: Caller, ref: ObjectRef): Promise<Bundle> {
  const rows = await allRows(db, ref);
  if (rows.draft?.some((row) => row.request_id !== null)) rows.draft_review = await listReviews(db, ref.id);
  const { level, parent } = await access.of(db, caller, ref.id);
  const drafts = new Set<string>();
  for (const row of rows.draft ?? []) {
    const draft = { id: textOf(row, "id"), parent_id: ref.id };
    if (isAtLeast((await access.ofDraft(db, caller, draft)).level, "preview")) drafts.add(draft.id);
  }
  const visible = visibleFamily(rows, { userId: caller.userId, level, drafts });
  const named = (visible.access_grant ?? []).filter((row) => row.subject_type === "user");
  const receivers = (visible.draft_review ?? []).map((row) => textOf(row, "receiver_id"));
  const people = new Set([parent.owner_id, ...receivers, ...named.map((row) => textOf(row, "subject_id"))]);
  return { kind: "family", id: ref.id, rows: visible, people: await listPeople(db, [...people]) };
}

async function exportRequest(db: Db, ref: ObjectRef): Promise<Bundle> {
  const rows = await allRows(db, ref);
  const people = new Set<string>();
  for (const row of rows.request ?? []) people.add(textOf(row, "creator_id")).add(textOf(row, "receiver_id"));
  for (const row of rows.event ?? []) people.add(textOf(row, "creator_id"));
  return { kind: "request", id: ref.id, rows, people: await listPeople(db, [...people]) };
}

/** Somebody else's card: what everybody may see of her, and nothing of one who is not public any more. */
async function exportPerson(db: Db, ref: ObjectRef): Promise<Bundle> {
  return { kind: "user", id: ref.id, rows: { user: await listPeople(db, [ref.id]), membership: [] }, people: [] };
}

/**
 * An object as its reader may see it now. That she may read it at all has been decided before.
 * @throws Failure 404 when it is gone.
 */
export async function exportBundle(db: Db, access: AccessService, caller: Caller, ref: ObjectRef): Promise<Bundle> {
  if (ref.kind === "family") return exportFamily(db, access, caller, ref);
  if (ref.kind === "request") return exportRequest(db, ref);
  if (ref.kind === "user" && ref.id !== caller.userId) return exportPerson(db, ref);
  return { kind: ref.kind, id: ref.id, rows: await allRows(db, ref), people: [] };
}
