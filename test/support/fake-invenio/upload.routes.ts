import { createHash } from "node:crypto";
import { type Answer, denied, Refusal, serverError } from "./call.ts";
import { requireOpenFiles } from "./content.ts";
import { type Context, plain, type Route, type Site, vendor } from "./route.ts";
import type { Content, StoredFile } from "./state.ts";
import { fileAnswer, requireFile } from "./stored-file.ts";

const failed = "File upload transfer failed.";
const md5 = (bytes: Buffer): string => `md5:${createHash("md5").update(bytes).digest("hex")}`;

/** Bytes already there count towards the quota. */
function isOverQuota(site: Site, draft: Content, bytes: Buffer): boolean {
  const used = [...draft.files.values()].reduce((sum, { size }) => sum + (size ?? 0), 0);
  return used + bytes.length > (site.switches.quotaBytes ?? site.profile.quotaBytes);
}

function putContent(context: Context): Answer {
  const { site, call } = context;
  const draft = requireOpenFiles(context);
  const file = requireFile(context, draft);
  if (!call.headers["content-type"]?.startsWith("application/octet-stream"))
    throw new Refusal(415, "Invalid 'Content-Type' header. Expected one of: application/octet-stream");
  if (file.status === "completed") {
    // The answer says 200 and completed, and the file is gone (F10).
    const answer = fileAnswer(context, draft, file, failed);
    draft.files.delete(file.key);
    return answer;
  }
  if (file.parts) return fileAnswer(context, draft, file, failed);
  // A broken upload leaves the entry pending; after a whole one, the whole one stays (F10).
  if (call.isCut) return fileAnswer(context, draft, file, failed);
  if (isOverQuota(site, draft, call.body)) throw new Refusal(413, "Maximum file size exceeded.");
  if (call.body.length === 0 && !site.profile.emptyFiles) throw new Refusal(400, "Empty files are not accepted.");
  file.bytes = call.body;
  return fileAnswer(context, draft, file);
}

function putPart(context: Context): Answer {
  const { site, call, params } = context;
  const draft = requireOpenFiles(context);
  const file = requireFile(context, draft);
  // Zenodo takes the init and refuses the parts (F12).
  if (!site.switches.parts) throw denied();
  const { parts } = file;
  const number = Number(params.part);
  if (!parts || file.status === "completed" || number > parts.count || call.isCut)
    return fileAnswer(context, draft, file, failed);
  // The last part may have any length, the others not (F12).
  if (number < parts.count && call.body.length !== parts.size) return fileAnswer(context, draft, file, failed);
  parts.received.set(number, call.body);
  return fileAnswer(context, draft, file);
}

/** What stands in the place where parts were written; what is missing is zeros. */
function assembled({ count, size, total, received }: NonNullable<StoredFile["parts"]>): Buffer {
  const bytes = Buffer.alloc(total);
  for (let number = 1; number <= count; number++) received.get(number)?.copy(bytes, (number - 1) * size);
  return bytes;
}

function commit(context: Context): Answer {
  const { site } = context;
  const draft = requireOpenFiles(context);
  const file = requireFile(context, draft);
  const { parts } = file;
  if (parts && file.status === "pending") {
    // Also with a part missing: 200, completed, the size announced (F12).
    file.bytes = assembled(parts);
    file.checksumAt = site.clock.now() + site.switches.checksumLagMs;
    delete file.parts;
  } else if (!file.bytes || file.status === "completed") throw serverError();
  const bytes = file.bytes;
  file.status = "completed";
  file.checksum = md5(bytes);
  file.size = bytes.length;
  file.updated = site.clock.now();
  return fileAnswer(context, draft, file);
}

const at = "/api/records/:id/draft/files/*key";
const accepts = [plain, vendor];

/** Bytes on their way into a draft. */
export const uploadRoutes: readonly Route[] = [
  { method: "PUT", path: `${at}/content/:part`, accepts, run: putPart },
  { method: "PUT", path: `${at}/content`, accepts, run: putContent },
  { method: "POST", path: `${at}/commit`, accepts, run: commit },
];
