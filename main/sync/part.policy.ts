import { createAccessLink } from "../../shared/access/access-link.schema.ts";
import { type CreateGrants, createGrants } from "../../shared/access/grant.schema.ts";
import { type CreateComment, createComment } from "../../shared/comments/comment.schema.ts";
import { type InitFiles, initFiles } from "../../shared/files/file.schema.ts";

/** An operation that may be about a part of an object: a file, a comment, an access link or a grant. */
interface PartWork {
  kind: string;
  object_id: string;
  /** The payload as JSON. */
  payload?: string;
}

/** Ids of the comments, links and grants that an operation makes. */
export function madeBy({ kind, object_id, payload = "{}" }: PartWork): string[] {
  if (kind === createGrants.name)
    return (JSON.parse(payload) as Partial<CreateGrants>).grants?.map(({ id }) => id) ?? [];
  return kind === createComment.name || kind === createAccessLink.name ? [object_id] : [];
}

/** Ids of the files that an operation announces. */
export const announcedBy = ({ kind, payload = "" }: PartWork): string[] =>
  kind === initFiles.name ? (JSON.parse(payload) as InitFiles).files.map(({ id }) => id) : [];

/** Id of the part that an operation changes or removes; for a file also what brings its bytes, for a reply its comment. */
export function neededBy({ kind, object_id, payload = "{}" }: PartWork): string | undefined {
  if (kind.startsWith("file.")) return (JSON.parse(payload) as { entryId?: string }).entryId;
  if (kind === createComment.name) return (JSON.parse(payload) as CreateComment).parentId ?? undefined;
  return /^(?:comment|access-link|access-grant)\./.test(kind) ? object_id : undefined;
}
