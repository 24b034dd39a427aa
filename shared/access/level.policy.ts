import { type Caller, isManager, isSuperuser } from "../kernel/caller.ts";

/** What a caller may do with a family. Each level includes the lower ones (records 2). */
export type Level = "none" | "view" | "preview" | "edit" | "manage";

const order: readonly Level[] = ["none", "view", "preview", "edit", "manage"];

export const isAtLeast = (level: Level, needed: Level): boolean => order.indexOf(level) >= order.indexOf(needed);

export const highest = (levels: readonly Level[]): Level =>
  levels.reduce<Level>((best, level) => (isAtLeast(level, best) ? level : best), "none");

export const asLevel = (text: string): Level => order.find((level) => level === text) ?? "none";

/** What a grant gives. Calls about drafts need credentials (interface, Authentication): without them one only views. */
export const grantedLevel = (permission: string, isSignedIn: boolean): Level =>
  isSignedIn ? asLevel(permission) : "view";

/** The facts about one family and one caller that decide the level. */
export interface FamilyFacts {
  ownerId: string;
  /** Levels of the grants to the caller, to one of their groups, or to everyone. */
  grants: Level[];
  /** Levels of the valid access links whose token was sent with the call. */
  links: Level[];
  /** The level that the server sent to this replica for its user. */
  levelFromServer: Level;
}

/** The level of a caller on a family. A link never gives more than `edit`. */
export function levelOf(caller: Caller, facts: FamilyFacts): Level {
  if (isSuperuser(caller) || (caller.userId !== null && caller.userId === facts.ownerId)) return "manage";
  const links = facts.links.map((level): Level => (level === "manage" ? "edit" : level));
  const moderator: Level = isManager(caller) ? "preview" : "none";
  return highest([...facts.grants, ...links, facts.levelFromServer, moderator]);
}
