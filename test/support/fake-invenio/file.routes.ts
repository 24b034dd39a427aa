import {
  type Answer,
  denied,
  emptyAnswer,
  invalid,
  isObject,
  type Json,
  jsonAnswer,
  objectOf,
  Refusal,
  serverError,
} from "./call.ts";
import { familyOf, latestOf, levelOf, requireDraft, requireOpenFiles, requireRecord, touch } from "./content.ts";
import { type Context, plain, type Route, vendor } from "./route.ts";
import type { Content, StoredFile } from "./state.ts";
import { checksumOf, fileAnswer, ownPath, presentFile, requireFile } from "./stored-file.ts";

function listAnswer(context: Context, content: Content, isDraft: boolean, status = 200): Answer {
  const own = ownPath(context, content, isDraft);
  return jsonAnswer(
    {
      enabled: content.filesEnabled,
      links: { self: `${own}/files`, archive: `${own}/files-archive` },
      entries: [...content.files.values()].map((file) => presentFile(context.site, own, file)),
      default_preview: content.default_preview,
      order: content.order,
    },
    status,
  );
}

export function readableRecord(context: Context): Content {
  const record = requireRecord(context);
  const isOpen = record.access.record === "public" && record.access.files === "public";
  if (!isOpen && levelOf(context, familyOf(context.site, record)) < 0) throw denied();
  return record;
}

function newFile(context: Context, entry: Json, key: string): StoredFile {
  const { site } = context;
  const transfer = objectOf(entry.transfer);
  const now = site.clock.now();
  const type = String(transfer.type ?? "L");
  const total = Number(entry.size);
  return {
    ...{
      key,
      status: "pending",
      bytes: undefined,
      checksum: null,
      size: null,
      transfer: type,
      metadata: objectOf(entry.metadata),
      hidden: objectOf(entry.access).hidden === true,
    },
    ...{ created: now, updated: now, id: site.newUuid() },
    ...(type === "M"
      ? {
          size: total,
          parts: {
            count: Number(transfer.parts),
            size: Number(transfer.part_size),
            total,
            received: new Map<number, Buffer>(),
          },
        }
      : {}),
  };
}

function checkEntry(entry: unknown, at: number): Json {
  const wrong = (field: string, message: string) => invalid([{ field: `${at}.${field}`, messages: [message] }]);
  if (!isObject(entry)) throw wrong("_schema", "Invalid input type.");
  if (typeof entry.key !== "string" || entry.key === "") throw wrong("key", "Missing data for required field.");
  const { type = "L", parts, part_size } = objectOf(entry.transfer);
  if (!["L", "F", "R", "M"].includes(String(type))) throw wrong("transfer.type", `Unsupported value: ${type}`);
  if (type === "F" || type === "R") throw denied();
  if (type === "M" && parts === undefined) throw wrong("transfer.parts", "Missing data for required field.");
  if (type === "M" && (!Number(entry.size) || !part_size))
    throw new Refusal(400, "Multipart file transfer requires file size.");
  return entry;
}

function init(context: Context): Answer {
  const { site } = context;
  const draft = requireOpenFiles(context);
  if (context.overlaps) throw serverError();
  const sent = context.json();
  // A single object is read as a list of its keys.
  const list = Array.isArray(sent) ? sent : isObject(sent) ? Object.keys(sent) : [];
  const entries = list.map(checkEntry);
  for (const { key } of entries)
    if (draft.files.has(String(key))) throw new Refusal(400, `File with key ${key} already exists.`);
  const maxFiles = site.switches.maxFiles ?? site.profile.maxFiles;
  if (draft.files.size + entries.length > maxFiles)
    throw new Refusal(
      400,
      `Uploading selected files will result in ${draft.files.size + entries.length} files, only ${maxFiles} are allowed.`,
    );
  if (!draft.filesEnabled) throw new Refusal(400, "File modification is not enabled for this record.");
  for (const entry of entries) draft.files.set(String(entry.key), newFile(context, entry, String(entry.key)));
  return listAnswer(context, draft, true, 201);
}

function remove(context: Context): Answer {
  const draft = requireOpenFiles(context);
  const file = requireFile(context, draft);
  draft.files.delete(file.key);
  draft.order = draft.order.filter((key) => key !== file.key);
  if (draft.default_preview === file.key) draft.default_preview = null;
  // Of all calls for files, only this moves the revision (F2).
  touch(context.site, draft);
  return emptyAnswer();
}

function removeAll(context: Context): Answer {
  const draft = requireOpenFiles(context);
  draft.files.clear();
  touch(context.site, draft);
  return emptyAnswer();
}

function putMetadata(context: Context): Answer {
  const draft = requireDraft(context, 2);
  const file = requireFile(context, draft);
  const { metadata, access } = objectOf(context.json());
  if (isObject(metadata)) file.metadata = metadata;
  if (isObject(access)) file.hidden = access.hidden === true;
  file.updated = context.site.clock.now();
  return fileAnswer(context, draft, file);
}

function importFiles(context: Context): Answer {
  const { site } = context;
  const draft = requireDraft(context, 2);
  if (draft.files.size > 0) throw invalid([{ field: "files.enabled", messages: ["Please remove all files first."] }]);
  const latest = latestOf(site.state.records.values(), draft.familyId);
  for (const [key, file] of latest?.files ?? []) draft.files.set(key, { ...file, created: site.clock.now() });
  draft.default_preview = latest?.default_preview ?? null;
  touch(site, draft, 0);
  return listAnswer(context, draft, true, 201);
}

/** The bytes of a file; `Range` is ignored where it is off (F13). */
function contentAnswer(context: Context, file: StoredFile): Answer {
  const { site, call } = context;
  if (!file.bytes || file.status !== "completed") throw serverError();
  const etag = `"${checksumOf(site, file) ?? file.id}"`;
  const headers: Record<string, string> = { "content-type": "application/octet-stream", etag };
  if (call.headers["if-none-match"] === etag) return { status: 304, headers, body: Buffer.alloc(0) };
  const range = /^bytes=(\d*)-(\d*)$/.exec(call.headers.range ?? "");
  if (!site.switches.ranges || !range) return { status: 200, headers, body: file.bytes };
  const { length } = file.bytes;
  const first = range[1] === "" ? Math.max(0, length - Number(range[2])) : Number(range[1]);
  const last = range[1] === "" || range[2] === "" ? length - 1 : Math.min(length - 1, Number(range[2]));
  if (first >= length || last < first)
    return { status: 416, headers: { "content-range": `bytes */${length}` }, body: Buffer.alloc(0) };
  headers["accept-ranges"] = "bytes";
  headers["content-range"] = `bytes ${first}-${last}/${length}`;
  return { status: 206, headers, body: file.bytes.subarray(first, last + 1) };
}

const draftAt = "/api/records/:id/draft";
const recordAt = "/api/records/:id";
const draftTypes = [plain, vendor];
const anyType = [plain, vendor, "application/octet-stream"];
const ofDraft = (run: (context: Context, draft: Content) => Answer) => (context: Context) =>
  run(context, requireDraft(context, 1));
const ofRecord = (run: (context: Context, record: Content) => Answer) => (context: Context) =>
  run(context, readableRecord(context));

export const fileRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${draftAt}/files`,
    accepts: draftTypes,
    run: ofDraft((context, draft) => listAnswer(context, draft, true)),
  },
  { method: "POST", path: `${draftAt}/files`, accepts: draftTypes, run: init },
  { method: "DELETE", path: `${draftAt}/files`, accepts: draftTypes, run: removeAll },
  { method: "POST", path: `${draftAt}/actions/files-import`, accepts: draftTypes, run: importFiles },
  {
    method: "GET",
    path: `${draftAt}/files/*key/content`,
    accepts: anyType,
    run: ofDraft((context, draft) => contentAnswer(context, requireFile(context, draft))),
  },
  { method: "PUT", path: `${draftAt}/files/*key`, accepts: draftTypes, run: putMetadata },
  { method: "DELETE", path: `${draftAt}/files/*key`, accepts: draftTypes, run: remove },
  {
    method: "GET",
    path: `${recordAt}/files/*key/content`,
    accepts: anyType,
    run: ofRecord((context, record) => contentAnswer(context, requireFile(context, record))),
  },
  // Record files know `application/json` alone (F15).
  { method: "GET", path: `${recordAt}/files`, run: ofRecord((context, record) => listAnswer(context, record, false)) },
];

/** After those of containers, whose paths look like names of files. */
export const lastFileRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${draftAt}/files/*key`,
    accepts: draftTypes,
    run: ofDraft((context, draft) => fileAnswer(context, draft, requireFile(context, draft))),
  },
  {
    method: "GET",
    path: `${recordAt}/files/*key`,
    run: ofRecord((context, record) =>
      jsonAnswer(presentFile(context.site, ownPath(context, record, false), requireFile(context, record))),
    ),
  },
];
