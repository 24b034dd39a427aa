import type { Db } from "../database/open.ts";
import type { AccessGrantRow, AccessLinkRow, ParentRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { forbidden, unknownPid } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { dayOf } from "../kernel/timestamps.ts";
import {
  findLinkByToken,
  findParent,
  isReviewerOf,
  listGrants,
  listGrantsOf,
  listLinksByToken,
  listParents,
} from "./access.repository.ts";
import { asLevel, grantedLevel, isAtLeast, type Level, levelOf } from "./level.policy.ts";

/** A family and the caller's level on it. */
export interface Access {
  parent: ParentRow;
  level: Level;
}

export interface AccessService {
  /**
   * The level of a caller on a family.
   * @param known the family, if it was read already. @throws Failure 404 when there is no such family.
   */
  of(db: Db, caller: Caller, parentId: string, known?: ParentRow): Promise<Access>;
  /** As `of`, for a family that was read already. */
  ofParent(db: Db, caller: Caller, parent: ParentRow): Promise<Access>;
  /** The level alone, of a family that was read already. */
  levelOn(db: Db, caller: Caller, family: Family): Promise<Level>;
  /** As `of`, for several families at once, by their ids. A family that does not exist is left out. */
  ofMany(db: Db, caller: Caller, parentIds: readonly string[]): Promise<Map<string, Access>>;
  /** As `of`. @throws Failure 403 below `needed`. */
  require(db: Db, caller: Caller, parentId: string, needed: Level): Promise<Access>;
  /** Level on one draft: a reviewer reads and updates it while the review is submitted (records 2). */
  ofDraft(db: Db, caller: Caller, draft: { id: string; parent_id: string }): Promise<Access>;
  /** As `ofDraft`, for a family that was read already. */
  ofDraftIn(db: Db, caller: Caller, family: Access, draftId: string): Promise<Access>;
  /** As `ofDraft`. @param known the family, if it was read already. @throws Failure 403 below `needed`. */
  requireDraft(
    db: Db,
    caller: Caller,
    draft: { id: string; parent_id: string },
    needed: Level,
    known?: ParentRow,
  ): Promise<Access>;
  /** The links that the caller shows and that open this family today. */
  linksOf(db: Db, caller: Caller, parentId: string): Promise<AccessLinkRow[]>;
  /** Whether a link with this secret opens a family today. */
  isOpenLink(db: Db, token: string): Promise<boolean>;
}

function names(grant: AccessGrantRow, caller: Caller): boolean {
  if (grant.subject_type === "user") return grant.subject_id === caller.userId;
  if (grant.subject_type === "role") return caller.roles.has(grant.subject_id);
  return grant.subject_id === "any_user" || (grant.subject_id === "authenticated_user" && caller.userId !== null);
}

/** What decides a level, besides grants and links. */
type Family = Pick<ParentRow, "id" | "owner_id" | "viewer_level">;

const isOwnedBy = (caller: Caller, { owner_id }: Family): boolean =>
  caller.userId !== null && caller.userId === owner_id;

/** The caller's level on a family whose rows were read already. @param links levels of the links sent with the call. */
export function levelFrom(
  caller: Caller,
  parent: Pick<ParentRow, "owner_id" | "viewer_level">,
  grants: readonly AccessGrantRow[],
  links: Level[] = [],
): Level {
  return levelOf(caller, {
    ownerId: parent.owner_id,
    grants: grants
      .filter((grant) => names(grant, caller))
      .map((grant) => grantedLevel(grant.permission, caller.userId !== null)),
    links,
    levelFromServer: asLevel(parent.viewer_level ?? "none"),
  });
}

/** Reads the facts that decide a caller's level on a family (records 2). */
export function accessService(host: Host): AccessService {
  const isOpen = ({ expires_at: end }: AccessLinkRow): boolean => end === null || end > dayOf(host.now());

  const linksOf = async (db: Db, caller: Caller, parentId: string): Promise<AccessLinkRow[]> =>
    caller.linkTokens.length === 0 ? [] : (await listLinksByToken(db, parentId, caller.linkTokens)).filter(isOpen);

  async function of(db: Db, caller: Caller, parentId: string, known?: ParentRow): Promise<Access> {
    const parent = known ?? (await findParent(db, parentId));
    if (!parent) throw unknownPid();
    return ofParent(db, caller, parent);
  }

  const ofParent = async (db: Db, caller: Caller, parent: ParentRow): Promise<Access> => ({
    parent,
    level: await levelOn(db, caller, parent),
  });

  async function levelOn(db: Db, caller: Caller, family: Family, known?: AccessGrantRow[]): Promise<Level> {
    const grants = isOwnedBy(caller, family) ? [] : (known ?? (await listGrants(db, family.id)));
    const links = (await linksOf(db, caller, family.id)).map(({ permission }) => asLevel(permission));
    return levelFrom(caller, family, grants, links);
  }

  async function ofMany(db: Db, caller: Caller, parentIds: readonly string[]): Promise<Map<string, Access>> {
    const parents = await listParents(db, parentIds);
    const foreign = parents.filter((parent) => !isOwnedBy(caller, parent)).map(({ id }) => id);
    const grants = Map.groupBy(await listGrantsOf(db, foreign), ({ parent_id }) => parent_id);
    const families = new Map<string, Access>();
    for (const parent of parents)
      families.set(parent.id, { parent, level: await levelOn(db, caller, parent, grants.get(parent.id) ?? []) });
    return families;
  }

  async function ofDraftIn(db: Db, caller: Caller, family: Access, draftId: string): Promise<Access> {
    if (isAtLeast(family.level, "edit") || caller.userId === null) return family;
    return (await isReviewerOf(db, draftId, caller.userId)) ? { ...family, level: "edit" } : family;
  }

  const ofDraft = async (
    db: Db,
    caller: Caller,
    draft: { id: string; parent_id: string },
    known?: ParentRow,
  ): Promise<Access> => ofDraftIn(db, caller, await of(db, caller, draft.parent_id, known), draft.id);

  function assertLevel(access: Access, needed: Level): Access {
    if (!isAtLeast(access.level, needed)) throw forbidden();
    return access;
  }

  return {
    of,
    ofParent,
    levelOn: (db, caller, family) => levelOn(db, caller, family),
    ofMany,
    ofDraft: (db, caller, draft) => ofDraft(db, caller, draft),
    ofDraftIn,
    linksOf,
    async isOpenLink(db, token) {
      const link = await findLinkByToken(db, token);
      return link !== undefined && isOpen(link);
    },
    require: async (db, caller, parentId, needed) => assertLevel(await of(db, caller, parentId), needed),
    requireDraft: async (db, caller, draft, needed, known) =>
      assertLevel(await ofDraft(db, caller, draft, known), needed),
  };
}
