import { createHash } from "node:crypto";
import type { Db } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import { listEntries } from "../files/file.reader.ts";

/** The digest of everything in a draft that publishing makes visible. Equal on every copy of the draft. */
export async function hashOf(db: Db, draft: DraftRow): Promise<string> {
  const entries = await listEntries(db, { kind: draft.is_edit === 1 ? "record" : "draft", id: draft.id });
  const files = entries.map(({ key, md5, size }) => [key, md5, size]).sort((a, b) => (String(a) < String(b) ? -1 : 1));
  const { metadata, custom_fields, access, pids, files_enabled, default_preview, file_order } = draft;
  const content = [metadata, custom_fields, access, pids, files_enabled, default_preview, file_order, files];
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}
