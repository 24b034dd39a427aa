import type { CollectionRow } from "../database/schema.ts";
import { type Caller, isSuperuser } from "../kernel/caller.ts";
import type { Settings } from "../settings/settings.schema.ts";

/** A stored query with a page, a feed and a set of OAI-PMH. */
export interface Collection {
  slug: string;
  title: string;
  query: string;
  text: string;
  /** The group that keeps it; null without one. */
  group: string | null;
  /** Whether it is in the settings, where only the operator changes it. */
  isFixed: boolean;
  /** Undefined for those of the settings. */
  row: CollectionRow | undefined;
}

const fixed = (one: Settings["collections"][number]): Collection => ({
  ...one,
  ...{ group: null, isFixed: true, row: undefined },
});

export const ofRow = (row: CollectionRow): Collection => ({
  ...{ slug: row.slug, title: row.title, query: row.query, text: row.text },
  ...{ group: row.group_name, isFixed: false, row },
});

/** The collections of the settings, then those of groups. A group's one with a slug of the settings is hidden. */
export function allCollections({ collections }: Pick<Settings, "collections">, rows: CollectionRow[]): Collection[] {
  const taken = new Set(collections.map(({ slug }) => slug));
  return [...collections.map(fixed), ...rows.filter(({ slug }) => !taken.has(slug)).map(ofRow)];
}

/** Only administrators create and delete collections, and give them to a group. */
export const mayManageCollections = (caller: Caller): boolean => isSuperuser(caller);

/** Members of the group edit a collection, and administrators. Nobody changes those of the settings here. */
export function mayEditCollection(caller: Caller, { group, isFixed }: Collection): boolean {
  if (isFixed) return false;
  return mayManageCollections(caller) || (group !== null && caller.roles.has(group));
}
