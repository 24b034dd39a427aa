import { type Answer, type Json, jsonAnswer, Refusal } from "./call.ts";
import type { Context, Site } from "./route.ts";
import type { Content, StoredFile } from "./state.ts";

/** A checksum of parts is null until it is due (F11). */
export const checksumOf = (site: Site, file: StoredFile): string | null =>
  file.checksumAt !== undefined && file.checksumAt > site.clock.now() ? null : file.checksum;

/** Whether archives are listed: those whose entries have the link (F13). */
export const listsArchives = ({ profile, switches }: Site): boolean => profile.containers && switches.containers;
export const isArchive = (key: string): boolean => /\.zip$/i.test(key);

export function presentFile(site: Site, own: string, file: StoredFile): Json {
  const self = `${own}/files/${file.key.split("/").map(encodeURIComponent).join("/")}`;
  const links: Json = { self, content: `${self}/content`, commit: `${self}/commit` };
  if (listsArchives(site) && isArchive(file.key)) links.container = `${self}/container`;
  const { parts } = file;
  if (parts && file.status === "pending")
    links.parts = Array.from({ length: parts.count }, (_, at) => ({
      ...{ part: at + 1, url: `${self}/content/${at + 1}`, expiration: site.clock.iso(site.clock.now() + 86_400_000) },
    }));
  const isStored = file.status === "completed" || parts !== undefined;
  return {
    created: site.clock.iso(file.created),
    updated: site.clock.iso(file.updated),
    ...(isStored
      ? { mimetype: "application/octet-stream", version_id: file.id, file_id: file.id, bucket_id: "bucket" }
      : {}),
    metadata: Object.keys(file.metadata).length === 0 ? null : file.metadata,
    access: { hidden: file.hidden },
    links,
    key: file.key,
    transfer:
      parts && file.status === "pending" ? { type: "M", part_size: parts.size, parts: parts.count } : { type: "L" },
    status: file.status,
    ...(isStored ? { checksum: checksumOf(site, file), size: file.size, storage_class: "L" } : {}),
  };
}

export const ownPath = ({ site }: Context, content: Content, isDraft: boolean): string =>
  `${site.url}/api/records/${content.id}${isDraft ? "/draft" : ""}`;

const noFile = (content: Content, key: string): Refusal =>
  new Refusal(404, `Record '${content.id}' has no file '${key}'.`);

export function requireFile({ params }: Context, content: Content): StoredFile {
  const file = content.files.get(params.key ?? "");
  if (!file) throw noFile(content, params.key ?? "");
  return file;
}

export const fileAnswer = (context: Context, draft: Content, file: StoredFile, errors?: string): Answer => {
  const body = presentFile(context.site, ownPath(context, draft, true), file);
  return jsonAnswer(errors === undefined ? body : { ...body, errors });
};
