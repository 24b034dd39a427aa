import type { Caller } from "../kernel/caller.ts";
import { isoTime } from "../kernel/timestamps.ts";
import type { Collection } from "./collection.policy.ts";
import { mayEditCollection, mayManageCollections } from "./collection.policy.ts";

/** A collection as the caller may see it: only who edits it sees which group keeps it. */
export function presentCollection(collection: Collection, caller: Caller, baseUrl: string): Record<string, unknown> {
  const { slug, title, query, text, group, isFixed, row } = collection;
  const mayEdit = mayEditCollection(caller, collection);
  const mayManage = mayManageCollections(caller);
  const sought = `q=${encodeURIComponent(query)}`;
  return {
    id: slug,
    slug,
    title,
    query,
    text,
    is_fixed: isFixed,
    ...(mayEdit ? { group } : {}),
    ...(row ? { created: isoTime(row.created), updated: isoTime(row.updated), revision_id: row.revision_id } : {}),
    permissions: { can_update: mayEdit, can_delete: mayEdit && mayManage },
    links: {
      self: `${baseUrl}/api/collections/${slug}`,
      self_html: `${baseUrl}/collections/${slug}`,
      records: `${baseUrl}/api/records?${sought}`,
      feed: `${baseUrl}/search.atom?${sought}`,
    },
  };
}
