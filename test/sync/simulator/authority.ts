import type { Db } from "../../../shared/database/open.ts";
import { isReviewer, type Rank, rankOf, reviews } from "./oracle.ts";

type Payload = Record<string, unknown>;

async function presentId(db: Db, id: string): Promise<string> {
  const row = await db.selectFrom("alias").select("new_id").where("old_id", "=", id).executeTakeFirst();
  return row?.new_id ?? id;
}

async function familyOf(db: Db, id: string): Promise<string | undefined> {
  for (const table of ["draft", "record"] as const) {
    const row = await db.selectFrom(table).select("parent_id").where("id", "=", id).executeTakeFirst();
    if (row) return row.parent_id;
  }
  return undefined;
}

/** Levels by command; a reviewer counts as an editor of the draft under review. */
const ranks: Record<string, { rank: Rank; key: string; orReviewer: boolean }> = {
  "draft.edit": { rank: 3, key: "id", orReviewer: true },
  "draft.publish": { rank: 3, key: "id", orReviewer: true },
  "draft.discard": { rank: 3, key: "id", orReviewer: false },
  "draft.edit-published": { rank: 3, key: "id", orReviewer: false },
  "draft.new-version": { rank: 3, key: "recordId", orReviewer: false },
  "file.init": { rank: 3, key: "draftId", orReviewer: true },
  "file.commit": { rank: 3, key: "draftId", orReviewer: true },
  "file.delete": { rank: 3, key: "draftId", orReviewer: true },
  "file.delete-all": { rank: 3, key: "draftId", orReviewer: true },
  "file.restore": { rank: 3, key: "draftId", orReviewer: true },
  "file.metadata": { rank: 3, key: "draftId", orReviewer: true },
  "files.rename": { rank: 3, key: "draftId", orReviewer: true },
  "files.import": { rank: 3, key: "draftId", orReviewer: true },
  "access-grant.create": { rank: 4, key: "recordId", orReviewer: false },
  "access-grant.update": { rank: 4, key: "recordId", orReviewer: false },
  "access-grant.delete": { rank: 4, key: "recordId", orReviewer: false },
  "access-link.create": { rank: 4, key: "recordId", orReviewer: false },
  "access-link.delete": { rank: 4, key: "recordId", orReviewer: false },
  "review.put": { rank: 4, key: "draftId", orReviewer: false },
  "review.submit": { rank: 4, key: "draftId", orReviewer: false },
  "review.delete": { rank: 4, key: "draftId", orReviewer: false },
};

/** What the creator of a request does; all else on it is the reviewers'. */
const ofCreators = new Set(
  ["submit", "cancel", "request-review", "add-reviewer", "remove-reviewer"].map((name) => `request.${name}`),
);

async function ofRequest(db: Db, userId: string, name: string, id: string): Promise<string | undefined> {
  const request = await db.selectFrom("request").selectAll().where("id", "=", id).executeTakeFirst();
  if (!request) return "knows no such request";
  if ((await rankOf(db, userId, request.topic_parent_id)) === 4 && (await isSuper(db, userId))) return undefined;
  const { creator_id, status } = request;
  const isReviewer = await reviews(db, userId, request);
  if (ofCreators.has(name)) return creator_id === userId ? undefined : "did not ask";
  if (name.startsWith("request.")) return isReviewer ? undefined : "was not asked";
  const isParty = creator_id === userId || (status !== "draft" && isReviewer);
  const mayPreview = status !== "draft" && (await rankOf(db, userId, request.topic_parent_id)) >= 2;
  return isParty || mayPreview ? undefined : "has no part in the request";
}

async function ofStatus(db: Db, id: string, seen: unknown): Promise<string | undefined> {
  const row = await db.selectFrom("request").select("status").where("id", "=", id).executeTakeFirst();
  return seen === undefined || row?.status === seen ? undefined : `saw it ${seen} while it is ${row?.status}`;
}

async function isSuper(db: Db, userId: string): Promise<boolean> {
  const rows = await db.selectFrom("membership").select("group_name").where("user_id", "=", userId).execute();
  return rows.some(({ group_name }) => group_name === "superuser-access");
}

/** The reason why a user may not execute a command now; undefined when they may. */
export async function requirementOf(
  db: Db,
  userId: string,
  name: string,
  payload: Payload,
): Promise<string | undefined> {
  if (/^request\.(submit|accept|decline|cancel|request-(changes|review)|(add|remove)-reviewer)$/.test(name)) {
    const seen = await ofStatus(db, String(payload.id), payload.seen);
    return seen ?? ofRequest(db, userId, name, String(payload.id));
  }
  if (name.startsWith("comment.")) return ofRequest(db, userId, name, String(payload.requestId));
  const needed = ranks[name];
  if (!needed) return undefined;
  const id = await presentId(db, String(payload[needed.key]));
  const family = await familyOf(db, id);
  if (family === undefined) return "names nothing that is there";
  if ((await rankOf(db, userId, family)) >= needed.rank) return undefined;
  const isAllowed = needed.orReviewer && (await isReviewer(db, userId, { draft: id }));
  return isAllowed ? undefined : `may not reach ${id} so far`;
}
