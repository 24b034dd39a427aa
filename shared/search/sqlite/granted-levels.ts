import { asLevel, grantedLevel, highest, type Level } from "../../access/level.policy.ts";
import type { Db } from "../../database/open.ts";
import type { Caller } from "../../kernel/caller.ts";
import { listGrantsTo, listLinksWith, listReviewedDrafts } from "./visibility.repository.ts";
import type { GrantedLevels } from "./visibility.ts";

/** The levels that grants, links and reviews give a caller on a UTC day. */
export async function findGrantedLevels(db: Db, caller: Caller, today: string): Promise<GrantedLevels> {
  const levels = new Map<string, Level>();
  const add = (parentId: string, level: Level) =>
    levels.set(parentId, highest([levels.get(parentId) ?? "none", level]));
  for (const [type, ids] of subjectsOf(caller)) {
    for (const grant of await listGrantsTo(db, type, ids))
      add(grant.parent_id, grantedLevel(grant.permission, caller.userId !== null));
  }
  const links = caller.linkTokens.length === 0 ? [] : await listLinksWith(db, caller.linkTokens);
  for (const link of links) {
    if (link.expires_at !== null && link.expires_at <= today) continue;
    const level = asLevel(link.permission);
    add(link.parent_id, level === "manage" ? "edit" : level);
  }
  const reviewed = caller.userId === null ? [] : await listReviewedDrafts(db, caller.userId);
  return { levels, reviewed: new Set(reviewed) };
}

function subjectsOf({ userId, roles }: Caller): [type: string, ids: string[]][] {
  const subjects: [type: string, ids: string[]][] = [
    ["system_role", userId === null ? ["any_user"] : ["any_user", "authenticated_user"]],
    ["user", userId === null ? [] : [userId]],
    ["role", [...roles]],
  ];
  return subjects.filter(([, ids]) => ids.length > 0);
}
