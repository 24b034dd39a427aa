import { sql } from "kysely";
import type { Db } from "../../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../../shared/database/prepared.ts";

/**
 * Computes permissions a second time, from the rows alone and in another way than the product. A fault must be in both to
 * stay unnoticed.
 */
const levels = ["none", "view", "preview", "edit", "manage"];

export type Rank = 0 | 1 | 2 | 3 | 4;

const listRoles = prepared((db, userId: string) =>
  db.selectFrom("membership").select("group_name").where("user_id", "=", userId),
);
const findOwner = preparedFirst((db, family: string) =>
  db.selectFrom("parent").select("owner_id").where("id", "=", family),
);
const listGrants = prepared((db, family: string) =>
  db.selectFrom("access_grant").selectAll().where("parent_id", "=", family),
);

const rolesOf = async (db: Db, userId: string): Promise<string[]> =>
  (await listRoles(db, userId)).map(({ group_name }) => group_name);

/** 0 nothing, 1 view, 2 preview, 3 edit, 4 manage. */
export async function rankOf(db: Db, userId: string, family: string): Promise<Rank> {
  const parent = await findOwner(db, family);
  if (!parent) return 0;
  const roles = await rolesOf(db, userId);
  if (parent.owner_id === userId || roles.includes("superuser-access")) return 4;
  const grants = await listGrants(db, family);
  let rank = roles.includes("administration-moderation") ? 2 : 0;
  for (const { subject_type, subject_id, permission } of grants) {
    const isHers = subject_type === "user" ? subject_id === userId : roles.includes(subject_id);
    if (isHers) rank = Math.max(rank, levels.indexOf(permission));
  }
  return rank as Rank;
}

/** Whether a user reviews a request `r`: its receiver, another reviewer, or a member of a group among them. */
const reviewedBy = (user: string) => sql`(r.receiver_id = ${user}
  or exists (select 1 from json_each(r.reviewers) v where json_extract(v.value, '$.user') = ${user})
  or exists (select 1 from json_each(r.reviewers) v, membership m where m.user_id = ${user}
    and m.group_name = json_extract(v.value, '$.group')))`;

/** As `reviewedBy`, of a request at hand. */
export async function reviews(
  db: Db,
  userId: string,
  { receiver_id, reviewers }: { receiver_id: string; reviewers: string },
): Promise<boolean> {
  const roles = await rolesOf(db, userId);
  const named: { user?: string; group?: string }[] = [{ user: receiver_id }, ...JSON.parse(reviewers)];
  return named.some(({ user, group }) => (group === undefined ? user === userId : roles.includes(group)));
}

/** Whether a user is the reviewer of a submitted draft: of one, or of any in a family. */
export async function isReviewer(db: Db, userId: string, of: { draft: string } | { family: string }): Promise<boolean> {
  const place = "draft" in of ? sql`d.id = ${of.draft}` : sql`d.parent_id = ${of.family}`;
  const { rows } = await sql`select 1 from draft d, request r where r.id = d.request_id and ${reviewedBy(userId)}
    and r.status = 'submitted' and ${place}`.execute(db);
  return rows.length > 0;
}

/** Whether a family has a public record, or a deleted one whose tombstone everybody sees. */
const hasPublic = async (db: Db, family: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from record where parent_id = ${family}
    and (tombstone is null or json_extract(tombstone, '$.is_visible') is not 0)
    and json_extract(access, '$.record') = 'public'`.execute(db);
  return rows.length > 0;
};

/** Whether a user's replicas may hold an object. */
export async function mayHold(db: Db, userId: string, ref: { kind: string; id: string }): Promise<boolean> {
  const { kind, id } = ref;
  if (kind === "family") {
    return (await rankOf(db, userId, id)) > 0 || (await hasPublic(db, id)) || isReviewer(db, userId, { family: id });
  }
  if (kind === "request") {
    const request = await db.selectFrom("request").selectAll().where("id", "=", id).executeTakeFirst();
    if (!request) return false;
    if (request.creator_id === userId || (await rolesOf(db, userId)).includes("superuser-access")) return true;
    const isParty = (await reviews(db, userId, request)) || (await rankOf(db, userId, request.topic_parent_id)) >= 2;
    return request.status !== "draft" && isParty;
  }
  if (kind === "notification") {
    const row = await db.selectFrom("notification").select("user_id").where("id", "=", id).executeTakeFirst();
    return row?.user_id === userId;
  }
  return true;
}

/** What a user's replicas must hold: their own objects, those granted to them, those they review or opened. */
export async function heldBy(db: Db, userId: string, kind: "family" | "request" | "notification"): Promise<string[]> {
  const { rows } = await queries[kind](userId).execute(db);
  const held: string[] = [];
  for (const { id } of rows) if (await mayHold(db, userId, { kind, id })) held.push(id);
  return held;
}

/** Families that concern a user, whether or not they may read them. Replicas of superusers hold only these. */
const concerned = (user: string) => sql`select p.id from parent p where p.owner_id = ${user}
  or exists (select 1 from access_grant g where g.parent_id = p.id and (g.subject_id = ${user} or g.subject_id in
    (select group_name from membership where user_id = ${user})))
  or exists (select 1 from request r where r.topic_parent_id = p.id and (r.creator_id = ${user}
    or (${reviewedBy(user)} and r.status <> 'draft')))
  or exists (select 1 from subscription s where s.kind = 'family' and s.object_id = p.id and s.user_id = ${user})`;

const queries = {
  family: (user: string) => sql<{ id: string }>`${concerned(user)} order by p.id`,
  request: (user: string) => sql<{ id: string }>`select id from request r where creator_id = ${user}
    or ${reviewedBy(user)} or topic_parent_id in (${concerned(user)}) order by id`,
  notification: (user: string) => sql<{ id: string }>`select id from notification where user_id = ${user} order by id`,
};
