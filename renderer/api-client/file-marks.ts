import { hexOf } from "../format/hex.ts";
import { bytesOf } from "./read-file.ts";

/** How much of a file identifies it, with its length. */
const headBytes = 1024 * 1024;
const storageKey = "carrel.uploads";
/** Uploads that nobody finishes or removes are forgotten, the oldest first. */
const maxMarks = 200;

type Marks = Record<string, string>;

function stored(): Marks {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Marks;
  } catch {
    return {};
  }
}

function store(marks: Marks) {
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(Object.entries(marks).slice(-maxMarks))));
  } catch {
    // Without storage a file starts again from its first byte after a reload.
  }
}

const nameOf = (draftId: string, key: string) => `${draftId}/${key}`;

/** Length and digest of the first MiB; undefined where the browser makes no digests, as over plain HTTP. */
async function markOf(file: File): Promise<string | undefined> {
  if (!("subtle" in crypto)) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", await bytesOf(file.slice(0, headBytes)));
  return `${file.size}:${hexOf(new Uint8Array(digest))}`;
}

/** A file whose upload has begun, and the tag of that upload. */
interface KeptMark {
  mark: string;
  tag: string | undefined;
}

export interface FileComparison {
  /** The tag of the upload that has begun under the name. */
  tag: string | undefined;
  /** What identifies the chosen file; undefined where the browser makes no digests. */
  mark: string | undefined;
  /** Whether an upload of this file has begun under the name. */
  isSame: boolean;
  /** Whether an upload of another file has. */
  isOther: boolean;
}

/** Compares a file with the one whose upload has begun under this name. @throws UnreadableFile */
export async function compareFile(draftId: string, key: string, file: File): Promise<FileComparison> {
  const [before, tag] = stored()[nameOf(draftId, key)]?.split(" ") ?? [];
  const mark = await markOf(file);
  const isSame = mark !== undefined && mark === before;
  return { mark, tag, isSame, isOther: before !== undefined && mark !== undefined && !isSame };
}

/** Stores which file is being uploaded, once the server holds bytes of no other one. */
export function keepMark(draftId: string, key: string, { mark, tag }: KeptMark) {
  keep(draftId, key, tag === undefined ? mark : `${mark} ${tag}`);
}

function keep(draftId: string, key: string, text: string) {
  store({ ...stored(), [nameOf(draftId, key)]: text });
}

/** A file whose upload has begun gets another name. */
export function moveMark(draftId: string, key: string, newKey: string) {
  const text = stored()[nameOf(draftId, key)];
  if (text === undefined) return;
  forgetMark(draftId, key);
  keep(draftId, newKey, text);
}

/** @param tag forgets only the mark of this upload, and none of another window. */
export function forgetMark(draftId: string, key: string, tag?: string) {
  if (tag !== undefined && stored()[nameOf(draftId, key)]?.split(" ")[1] !== tag) return;
  const { [nameOf(draftId, key)]: _gone, ...others } = stored();
  store(others);
}
