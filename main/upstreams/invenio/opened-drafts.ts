import { sameJson } from "../../../shared/kernel/json.ts";
import { filesOf, isSameRevision, md5Of } from "./read/family.ts";
import type { TheirFile } from "./read/their-record.ts";
import type { Site } from "./site.ts";

/** How long a draft counts as open after it was last read here, and how often it is looked at, in microseconds. */
const [openMicros, lookMicros] = [3_600_000_000, 60_000_000];
/** Drafts that are looked at: those that were read last. */
const mostOpen = 3;

/** The drafts that the user has open. Lists do not show that a file was added to a draft (upstreams 4). */
export class OpenedDrafts {
  /** When each was read here last, the latest last. */
  readonly #read = new Map<string, number>();
  readonly #looked = new Map<string, number>();

  note(id: string, now: number): void {
    this.#read.delete(id);
    this.#read.set(id, now);
    const [oldest] = this.#read.keys();
    if (this.#read.size > mostOpen && oldest !== undefined) this.forget(oldest);
  }

  forget(id: string): void {
    this.#read.delete(id);
    this.#looked.delete(id);
  }

  /** Drafts to look at now. @param isRequested the user wants to see the current state */
  listDue(now: number, isRequested: boolean): string[] {
    for (const [id, read] of this.#read) if (Math.abs(now - read) > openMicros) this.forget(id);
    return [...this.#read.keys()].filter((id) => {
      const age = now - (this.#looked.get(id) ?? 0);
      return isRequested || age < 0 || age >= lookMicros;
    });
  }

  noteLook(id: string, now: number): void {
    this.#looked.set(id, now);
  }
}

/** Whether the shadow has the files of a draft as they are there. */
async function areFilesKnown(site: Site, id: string, files: readonly TheirFile[]): Promise<boolean> {
  const shown = filesOf(await site.shadowOf(id), "draft", id).map(({ key, md5, metadata }) => [
    String(key),
    md5 === null ? null : String(md5),
    metadata === null ? null : JSON.parse(String(metadata)),
  ]);
  const there = files.map(({ key, status, checksum, metadata }) => [
    key,
    status === "completed" ? (md5Of(checksum) ?? null) : null,
    metadata ?? null,
  ]);
  const byKey = ([a]: unknown[], [b]: unknown[]): number => (String(a) < String(b) ? -1 : 1);
  return sameJson(shown.sort(byKey), there.sort(byKey) as typeof shown);
}

const options = { urgency: "poll" } as const;

/** Stores the files of a draft if they changed. Not while a call for the draft is under way: the list would be too old. */
export async function refreshFiles(site: Site, id: string): Promise<void> {
  // The edit of a record has the files of the record.
  if (await site.isEdit(id)) return;
  await site.writes.run(id, async () => {
    const files = await site.filesOfDraft(id, options);
    if (!(await areFilesKnown(site, id, files))) await site.keepFiles(id, files);
  });
}

/** Reads a draft and its files, and stores what changed. @returns false if the draft is not there any more */
export async function refreshDraft(site: Site, id: string): Promise<boolean> {
  const isThere = await site.writes.run(id, async () => {
    const draft = await site.lookAtDraft(id, options);
    if (draft && !isSameRevision(await site.shadowOf(id), draft)) await site.keepDraft(draft, undefined);
    return draft !== undefined;
  });
  if (isThere) await refreshFiles(site, id);
  return isThere;
}
