import type { Bundle } from "../../../shared/bundles/bundle.schema.ts";
import type { Db, Tx } from "../../../shared/database/open.ts";
import type { UpstreamContentRow, UpstreamObjectRow } from "../../../shared/database/schema.ts";
import type { ObjectRef } from "../../../shared/kernel/object-ref.ts";
import type { NamedFault } from "./read/faults.schema.ts";

/** The last known state of an object on the server, with the revision of each of its drafts and records. */
export interface Shadow {
  bundle: Bundle;
  /**
   * By `draft:<id>` and `record:<id>`. `heard:<id>` is the newest operation here when the object was first read, `looked:<id>`
   * the time when a draft was last read.
   */
  revisions: Record<string, number>;
  /** Values that the server did not store, by draft. They stay in the document as the user typed them. */
  faults: Record<string, NamedFault[]>;
}

export type Part = UpstreamContentRow["part"];

export async function findShadow(db: Db, ref: ObjectRef): Promise<Shadow | undefined> {
  const row = await db
    .selectFrom("upstream_object")
    .selectAll()
    .where("kind", "=", ref.kind)
    .where("id", "=", ref.id)
    .executeTakeFirst();
  if (!row?.bundle) return undefined;
  return { bundle: JSON.parse(row.bundle), revisions: JSON.parse(row.revisions), faults: JSON.parse(row.faults) };
}

/** The family that holds a draft or record. */
export async function findFamilyOf(db: Db, contentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("upstream_content")
    .select("family_id")
    .where("id", "=", contentId)
    .executeTakeFirst();
  return row?.family_id;
}

export async function lastSeq(db: Db): Promise<number> {
  const row = await db
    .selectFrom("upstream_object")
    .select((expression) => expression.fn.max<number | null>("seq").as("seq"))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

async function put(tx: Tx, row: Omit<UpstreamObjectRow, "seq">): Promise<number> {
  const seq = (await lastSeq(tx)) + 1;
  const { kind, id, ...rest } = row;
  await tx
    .insertInto("upstream_object")
    .values({ ...row, seq })
    .onConflict((conflict) => conflict.columns(["kind", "id"]).doUpdateSet({ ...rest, seq }))
    .execute();
  return seq;
}

async function putContents(tx: Tx, family: string, revisions: Record<string, number>): Promise<void> {
  await tx.deleteFrom("upstream_content").where("family_id", "=", family).execute();
  for (const name of Object.keys(revisions)) {
    const [part, id = ""] = name.split(":") as [Part | "heard" | "looked", string];
    if (part === "heard" || part === "looked") continue;
    await tx
      .insertInto("upstream_content")
      .values({ part, id, family_id: family })
      .onConflict((conflict) => conflict.columns(["part", "id"]).doUpdateSet({ family_id: family }))
      .execute();
  }
}

/** Stores the state of an object. @returns its position. */
export async function putShadow(tx: Tx, { bundle, revisions, faults }: Shadow, now: number): Promise<number> {
  const { kind, id } = bundle;
  if (kind === "family") await putContents(tx, id, revisions);
  const shadow = {
    bundle: JSON.stringify(bundle),
    revisions: JSON.stringify(revisions),
    faults: JSON.stringify(faults),
  };
  return put(tx, { kind, id, state: "live", ...shadow, checked: now });
}

/** Stores that the server does not show the object any more. @returns the position of this change. */
export async function putRemoved(
  tx: Tx,
  { kind, id }: ObjectRef,
  state: "deleted" | "withdrawn",
  now: number,
): Promise<number> {
  if (kind === "family") await putContents(tx, id, {});
  return put(tx, { kind, id, state, bundle: null, revisions: "{}", faults: "{}", checked: now });
}

/** Objects after a position, oldest first. */
export const listAfter = (db: Db, seq: number, most: number): Promise<UpstreamObjectRow[]> =>
  db.selectFrom("upstream_object").selectAll().where("seq", ">", seq).orderBy("seq").limit(most).execute();

/** The ids of the objects of a kind that this user sees on the server. */
export async function listShadowIds(db: Db, kind: ObjectRef["kind"]): Promise<string[]> {
  const rows = await db
    .selectFrom("upstream_object")
    .select("id")
    .where("kind", "=", kind)
    .where("state", "=", "live")
    .execute();
  return rows.map(({ id }) => id);
}

/** Drafts and records of the families that this replica holds. */
export const listContents = (db: Db): Promise<UpstreamContentRow[]> =>
  db.selectFrom("upstream_content").selectAll().orderBy("family_id").execute();

/** Drafts with values that the server did not store, and its reasons. */
export async function listNotTaken(db: Db): Promise<{ id: string; faults: NamedFault[] }[]> {
  const rows = await db.selectFrom("upstream_object").select("faults").where("faults", "!=", "{}").execute();
  return rows.flatMap(({ faults }) =>
    Object.entries<NamedFault[]>(JSON.parse(faults)).map(([id, of]) => ({ id, faults: of })),
  );
}

/** The same of one draft. */
export async function findNotTaken(db: Db, draftId: string): Promise<NamedFault[]> {
  const row = await db
    .selectFrom("upstream_content")
    .innerJoin("upstream_object", "upstream_object.id", "upstream_content.family_id")
    .select("upstream_object.faults")
    .where("upstream_content.part", "=", "draft")
    .where("upstream_content.id", "=", draftId)
    .where("upstream_object.kind", "=", "family")
    .where("upstream_object.faults", "!=", "{}")
    .executeTakeFirst();
  return row ? (JSON.parse(row.faults)[draftId] ?? []) : [];
}
