import type { ParentRow } from "../database/schema.ts";

/** The columns of a joined `parent`, under names that no other table has. */
export const familyColumns = [
  "parent.id as family_id",
  "parent.owner_id as family_owner",
  "parent.settings as family_settings",
  "parent.created as family_created",
  "parent.viewer_level as family_level",
] as const;

interface FamilyColumns {
  family_id: string | null;
  family_owner: string | null;
  family_settings: string | null;
  family_created: number | null;
  family_level: string | null;
}

/** Takes the columns of the family out of a joined row. */
export function splitFamily<R extends FamilyColumns>(
  joined: R,
): { row: Omit<R, keyof FamilyColumns>; parent: ParentRow | undefined } {
  const { family_id, family_owner, family_settings, family_created, family_level, ...row } = joined;
  if (family_id === null) return { row, parent: undefined };
  const created = family_created ?? 0;
  const [owner_id, settings] = [family_owner ?? "", family_settings ?? "{}"];
  return { row, parent: { id: family_id, owner_id, settings, created, viewer_level: family_level } };
}
