import { posix } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { type Answer, type Json, jsonAnswer, notFound, Refusal, serverError } from "./call.ts";
import { requireDraft } from "./content.ts";
import { readableRecord } from "./file.routes.ts";
import { type Context, plain, type Route, vendor } from "./route.ts";
import type { Content } from "./state.ts";
import { isArchive, listsArchives, requireFile } from "./stored-file.ts";

interface Member {
  key: string;
  size: number;
  compressed: number;
  crc: number;
  bytes: () => Buffer;
}

const codePage437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
const fromCodePage = (raw: Buffer): string =>
  [...raw].map((byte) => (byte < 128 ? String.fromCharCode(byte) : codePage437[byte - 128])).join("");

/** The members of a small ZIP, from its central directory. */
function membersOf(zip: Buffer): Member[] {
  const end = zip.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  if (end < 0) throw serverError();
  const members: Member[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [flags, method, crc] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16)];
    const [compressed, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)];
    const local = zip.readUInt32LE(at + 42);
    const raw = zip.subarray(at + 46, at + 46 + name);
    // Without the flag of UTF-8 a name is read as code page 437 and may come out mangled (F13).
    const key = (flags & 0x800) !== 0 ? raw.toString() : fromCodePage(raw);
    const bytes = () => {
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const packed = zip.subarray(from, from + compressed);
      const content = method === 0 ? packed : inflateRawSync(packed);
      if (crc32(content) !== crc) throw serverError();
      return content;
    };
    members.push({ key, size, compressed, crc, bytes });
    at += 46 + name + extra + comment;
  }
  return members;
}

function containerOf(context: Context, content: Content): Member[] {
  const { site } = context;
  if (!listsArchives(site)) throw notFound();
  const { key, bytes, status } = requireFile(context, content);
  if (!bytes || status !== "completed") throw new Refusal(404, `Record '${content.id}' has no file '${key}'.`);
  if (!isArchive(key)) throw new Refusal(400, `No extractor found for the file '${key}'.`);
  const members = membersOf(bytes);
  const total = members.reduce((sum, { size }) => sum + size, 0);
  if (total <= site.switches.archiveBytes) return members;
  const why = "Total uncompressed size limit exceeded";
  throw new Refusal(999, `Invalid file content for file '${key}': ${why}.`);
}

/** A key as `PurePosixPath` writes it: without a trailing slash, `.` and empty parts. */
const shownKey = (key: string): string =>
  (key.startsWith("/") ? "/" : "") +
  key
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");

function list(context: Context, content: Content): Answer {
  const { site, params } = context;
  const all = containerOf(context, content);
  if (site.switches.listing !== undefined) return jsonAnswer(site.switches.listing);
  const shown = all.slice(0, site.switches.listedMembers);
  const linked = (key: string) => ({
    key,
    links: { content: `${site.url}/api/records/${content.id}/files/${params.key}/container/${key}` },
  });
  const files = shown.filter(({ key }) => !key.endsWith("/"));
  const entries = files.map(
    ({ key, size, compressed, crc }): Json => ({
      ...linked(shownKey(key)),
      ...{ size, compressed_size: compressed, mimetype: "application/octet-stream", crc },
    }),
  );
  // Directories that only the names of files imply are not listed.
  const directories = shown
    .filter(({ key }) => key.endsWith("/"))
    .map(({ key }): Json => {
      const own = entries.map((entry) => String(entry.key)).filter((file) => posix.dirname(file) === shownKey(key));
      return { ...linked(shownKey(key)), entries: own.length > 0 ? own : null };
    });
  // It is cut off as soon as it is full.
  const truncated = shown.length === site.switches.listedMembers;
  return jsonAnswer({ entries, truncated, total: entries.length, directories });
}

/** One member; it knows no `Range` (F13). */
function read(context: Context, content: Content): Answer {
  const { member = "" } = context.params;
  const found = containerOf(context, content).find(({ key }) => key === member);
  if (!found) throw new Refusal(404, `Record '${content.id}' has no file '${member}'.`);
  // Its name goes into a header, which takes Latin-1 alone.
  if (/[\u0100-\uffff]/.test(member)) throw serverError();
  return { status: 200, headers: { "content-type": "application/octet-stream" }, body: found.bytes() };
}

const ofDraft = (run: (context: Context, content: Content) => Answer) => (context: Context) =>
  run(context, requireDraft(context, 1));
const ofRecord = (run: (context: Context, content: Content) => Answer) => (context: Context) =>
  run(context, readableRecord(context));
const accepts = [plain, vendor, "application/octet-stream"];

export const containerRoutes: readonly Route[] = (
  [
    ["/api/records/:id/draft", ofDraft],
    ["/api/records/:id", ofRecord],
  ] as const
).flatMap(([at, of]): Route[] => [
  { method: "GET", path: `${at}/files/*key/container`, accepts, run: of(list) },
  { method: "GET", path: `${at}/files/*key/container/*member`, accepts, run: of(read) },
]);
