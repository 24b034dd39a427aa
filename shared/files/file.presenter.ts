import type { FileEntryRow } from "../database/schema.ts";
import { imageAddress, isPicture } from "../iiif/thumbnails.presenter.ts";
import { spacedTime } from "../kernel/timestamps.ts";

/** The collection of an entry. */
export interface FileOwner {
  id: string;
  isDraft: boolean;
}

/** Path of a collection, without host (records 6.1). */
export const filesPath = ({ id, isDraft }: FileOwner): string => `/api/records/${id}${isDraft ? "/draft" : ""}/files`;

/** The addresses of a picture in the IIIF APIs, paths as the other links of a file. */
function pictureLinks(key: string, owner: FileOwner): Record<string, string> {
  const image = imageAddress("", owner, key);
  const subject = `${owner.isDraft ? "draft" : "record"}:${owner.id}`;
  return {
    iiif_canvas: `/api/iiif/${subject}/canvas/${encodeURIComponent(key)}`,
    iiif_base: image,
    iiif_info: `${image}/info.json`,
    iiif_api: `${image}/full/full/0/default.png`,
  };
}

function entryLinks(entry: FileEntryRow, owner: FileOwner): Record<string, string> {
  const self = `${filesPath(owner)}/${encodeURIComponent(entry.key)}`;
  const isContainer = !owner.isDraft && /\.zip$/i.test(entry.key);
  return {
    self,
    content: `${self}/content`,
    ...(owner.isDraft ? { commit: `${self}/commit` } : {}),
    ...(isContainer ? { container: `${self}/container` } : {}),
    ...(isPicture(entry) ? pictureLinks(entry.key, owner) : {}),
  };
}

function storedKeys(entry: FileEntryRow): Record<string, unknown> {
  if (entry.status !== "completed") return { transfer: { type: "L" } };
  return {
    checksum: `md5:${entry.md5}`,
    mimetype: entry.mimetype,
    size: entry.size,
    file_id: entry.file_id,
    version_id: entry.version_id,
    bucket_id: entry.bucket_id,
    storage_class: "L",
    transfer: { type: "L" },
  };
}

/** One file of a record or draft (records 6.1). */
export function presentEntry(entry: FileEntryRow, owner: FileOwner): Record<string, unknown> {
  return {
    key: entry.key,
    status: entry.status,
    created: spacedTime(entry.created),
    updated: spacedTime(entry.updated),
    metadata: entry.metadata === null ? null : JSON.parse(entry.metadata),
    access: { hidden: entry.hidden === 1 },
    ...storedKeys(entry),
    links: entryLinks(entry, owner),
  };
}
