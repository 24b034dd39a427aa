import { asLevel, highest, type Level } from "../access/level.policy.ts";
import type { Db } from "../database/open.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Given } from "./visibility.ts";

/** What grants, links and reviews give a caller on the given UTC day. */
export async function findGiven(db: Db, caller: Caller, today: string): Promise<Given> {
  const levels = new Map<string, Level>();
  const add = (parentId: string, level: Level) =>
    levels.set(parentId, highest([levels.get(parentId) ?? "none", level]));
  for (const grant of await grantsOf(db, caller)) add(grant.parent_id, asLevel(grant.permission));
  for (const link of await linksOf(db, caller)) {
    if (link.expires_at !== null && link.expires_at <= today) continue;
    const level = asLevel(link.permission);
    add(link.parent_id, level === "manage" ? "edit" : level);
  }
  return { levels, reviewed: await reviewedDrafts(db, caller) };
}

function grantsOf(db: Db, caller: Caller): Promise<{ parent_id: string; permission: string }[]> {
  const systemRoles = caller.userId === null ? ["any_user"] : ["any_user", "authenticated_user"];
  const subjects: [type: string, ids: string[]][] = [
    ["system_role", systemRoles],
    ["user", caller.userId === null ? [] : [caller.userId]],
    ["role", [...caller.roles]],
  ];
  return db
    .selectFrom("access_grant")
    .select(["parent_id", "permission"])
    .where((row) =>
      row.or(
        subjects
          .filter(([, ids]) => ids.length > 0)
          .map(([type, ids]) => row.and([row("subject_type", "=", type), row("subject_id", "in", ids)])),
      ),
    )
    .execute();
}

async function linksOf(db: Db, caller: Caller) {
  if (caller.linkTokens.length === 0) return [];
  return db
    .selectFrom("access_link")
    .select(["parent_id", "permission", "expires_at"])
    .where("token", "in", [...caller.linkTokens])
    .execute();
}

async function reviewedDrafts(db: Db, caller: Caller): Promise<Set<string>> {
  if (caller.userId === null) return new Set();
  const rows = await db
    .selectFrom("request")
    .innerJoin("draft", "draft.request_id", "request.id")
    .select("draft.id")
    .where("request.receiver_id", "=", caller.userId)
    .where("request.status", "=", "submitted")
    .execute();
  return new Set(rows.map((row) => row.id));
}
