import type { Db } from "../../../shared/database/open.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { parseTime } from "../../../shared/kernel/timestamps.ts";
import { recall, remember } from "../../sync/person.repository.ts";
import { InvalidAnswer } from "../../sync/validate-answer.ts";
import { OpenedDrafts, refreshDraft, refreshFiles } from "./opened-drafts.ts";
import { isLatestFirst, listOwn } from "./own-list.ts";
import { listNext, newWalk, type Walk } from "./own-walk.ts";
import { isSweepDue, type Looks, lagMicros, nextPoll } from "./poll.policy.ts";
import { filesOf } from "./read/family.ts";
import { isWithoutFiles, type TheirRecord } from "./read/their-record.ts";
import { RequestPoller } from "./request-poller.ts";
import { findShadow, listContents, type Part, type Shadow } from "./shadow.repository.ts";
import type { Site } from "./site.ts";
import { isUnclaimed } from "./write/twins.ts";

/** The time of the last sweep that makes the next one due now, also after a restart. */
const neverSwept = 0;
/**
 * Pages of changes that one poll reads. A sweep finds the older changes: it continues where the rate limits stopped it,
 * while each poll starts at the first page.
 */
const maxPages = 4;

/**
 * Whether a hit of a list says something new. An older state is one that the list still has. Revisions are compared for
 * equality alone: an edit of a record may begin below its former draft, or end at the same revision (F1).
 */
function isNews(shadow: Shadow | undefined, { id, is_draft, revision_id, updated }: TheirRecord): boolean {
  const part = is_draft ? "draft" : "record";
  const known = shadow?.revisions[`${part}:${id}`];
  if (shadow === undefined || known === undefined) return true;
  if (!is_draft && shadow.revisions[`draft:${id}`] !== undefined) return true;
  const row = shadow.bundle.rows[part]?.find((one) => one.id === id);
  const [now, before] = [parseTime(updated) ?? 0, Number(row?.updated ?? 0)];
  return revision_id === known ? now > before : now >= before;
}

/** Waits for a read. What is there and cannot be read must not stop the reading of everything else: undefined. */
async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof InvalidAnswer) return undefined;
    throw error;
  }
}

/** Polls for changes, within the server's rate limits. */
export class Poller {
  readonly #site: Site;
  #walk: Walk | undefined;
  #missing: { part: Part; id: string }[] | undefined;
  #isRequested = false;
  readonly #opened = new OpenedDrafts();
  readonly #requests: RequestPoller;

  constructor(site: Site) {
    this.#site = site;
    this.#requests = new RequestPoller(site);
  }

  get #db(): Db {
    return this.#site.db;
  }

  /** Makes the next poll due now, because the user wants to see the current state. */
  lookNow(): void {
    this.#isRequested = true;
  }

  /** The user reads a draft here. */
  opened(id: string): void {
    this.#opened.note(id, this.#site.options.now());
  }

  async looks(): Promise<Looks> {
    return (await recall(this.#db, "looks")) ?? { copyPage: 1 };
  }

  async #note(change: Looks): Promise<void> {
    await remember(this.#db, "looks", { ...(await this.looks()), ...change });
  }

  /** Whether the first copy is still under way. */
  async isCopying(): Promise<boolean> {
    return (await this.looks()).copyPage !== undefined;
  }

  /** Microseconds until the next look is due. */
  async dueIn(hasWindow: boolean): Promise<number> {
    if (this.#isRequested) return 0;
    const looks = await this.looks();
    const now = this.#site.options.now();
    // The clock was set back since.
    if ((looks.polled ?? 0) > now) return 0;
    return Math.max(0, nextPoll(looks, { hasWindow, isSlow: this.#site.line.isSlow }) - now);
  }

  /** Copies one page of the first copy. It ends early when the limits leave no call. */
  async copyStep(): Promise<void> {
    const begun = await this.looks();
    if (begun.copyPage === undefined) return;
    const walk = this.#walk ?? newWalk(false, begun);
    this.#walk = walk;
    if (!(await this.#walkOn(walk, 1))) {
      const { until, edge } = walk;
      const copyPage = walk.hits.length > 0 ? Math.max(1, walk.page - 1) : walk.page;
      return this.#note({ copyPage, copySlice: { until, edge } });
    }
    this.#walk = undefined;
    const { copyPage: _, copySlice: __, ...looks } = await this.looks();
    const now = this.#site.options.now();
    await remember(this.#db, "looks", { ...looks, polled: now, swept: now });
    await this.#requests.look();
  }

  /** The newest changes; once a day also what is gone. */
  async poll(): Promise<void> {
    const isRequested = this.#isRequested;
    this.#isRequested = false;
    const looks = await this.looks();
    const now = this.#site.options.now();
    let mark = looks.mark ?? 0;
    /** Changes reach further back than the pages that one poll reads. */
    let hasUnreadChanges = false;
    const isWalking = this.#walk !== undefined;
    for (let page = 1, isKnown = false; !isKnown && page <= maxPages; page++) {
      const since = Math.max(0, (looks.mark ?? 0) - lagMicros);
      const found = await listOwn(this.#site, { page, urgency: "poll", since });
      let hasNews = false;
      for (const hit of found.hits) {
        const updated = parseTime(hit.updated) ?? 0;
        const wasNews = await this.#readIfNew(hit);
        hasNews ||= wasNews;
        // What follows is older, and was read by an earlier poll.
        isKnown = !wasNews && updated < since && isLatestFirst(this.#site);
        mark = Math.max(mark, updated);
        if (isKnown) break;
      }
      isKnown ||= found.isLast || (isWalking && !hasNews);
      hasUnreadChanges = hasNews && !isKnown && page === maxPages;
    }
    const isPause = looks.isRequestPause === true && !isRequested;
    await this.#note({
      polled: now,
      mark,
      isRequestPause: !isPause,
      ...(hasUnreadChanges ? { swept: neverSwept } : {}),
    });
    await this.#lookAtOpened(isRequested);
    if (!isPause) await this.#requests.look();
    if (hasUnreadChanges || isSweepDue(looks, now) || this.#missing) await this.#sweep();
  }

  async #lookAtOpened(isRequested: boolean): Promise<void> {
    const now = this.#site.options.now();
    for (const id of this.#opened.listDue(now, isRequested)) {
      const isKnown = (await this.#site.shadowOf(id))?.revisions[`draft:${id}`] !== undefined;
      if (!isKnown || !this.#site.line.mayCall("poll")) continue;
      this.#opened.noteLook(id, now);
      await this.#readOrWithdraw("draft", id, async () => {
        if (!(await refreshDraft(this.#site, id))) await this.#checkIsThere("draft", id);
      });
    }
  }

  /** Walks over everything, then looks at each object that no list showed: a list's silence alone proves nothing. */
  async #sweep(): Promise<void> {
    if (!this.#missing) {
      const walk = this.#walk ?? newWalk(true);
      this.#walk = walk;
      if (!(await this.#walkOn(walk))) return;
      this.#walk = undefined;
      this.#missing = await this.#listMissing(walk.seen);
    }
    for (let next = this.#missing[0]; next; next = this.#missing[0]) {
      if (!this.#site.line.mayCall("poll")) return;
      await this.#checkIsThere(next.part, next.id);
      this.#missing.shift();
    }
    await this.#requests.sweep();
    this.#missing = undefined;
    await this.#note({ swept: this.#site.options.now() });
  }

  /**
   * @param pages how many pages to read at most
   * @returns whether the walk is over; false also when the limits leave no call for now.
   */
  async #walkOn(walk: Walk, pages = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { line } = this.#site;
    for (let read = 0; ; read++) {
      for (let hit = walk.hits[0]; hit; hit = walk.hits[0]) {
        if (!line.mayCall("poll")) return false;
        const isFileList = walk.isWhole && hit.is_draft && !hit.is_published;
        // A file that was added to a draft changes nothing in the list.
        if (!(await this.#readIfNew(hit)) && isFileList) await readable(refreshFiles(this.#site, hit.id));
        else if (walk.isWhole && (await this.#lacksFiles(hit))) await readable(this.#readRecord(hit.id));
        walk.hits.shift();
      }
      if (walk.isLast) return true;
      if (read >= pages || !line.mayCall("poll")) return false;
      await listNext(this.#site, walk);
    }
  }

  /** @returns whether the hit said something new. What cannot be read says nothing. */
  async #readIfNew(hit: TheirRecord): Promise<boolean> {
    return (await readable(this.#readNews(hit))) === true;
  }

  async #readNews(hit: TheirRecord): Promise<boolean> {
    const shadow = await findShadow(this.#db, { kind: "family", id: hit.parent.id });
    if (!isNews(shadow, hit)) return false;
    if (await isUnclaimed(this.#site, hit)) return true;
    const { id, is_draft: isDraft, is_published: isPublished } = hit;
    const options = { urgency: "poll" } as const;
    const mayHaveDraft = isDraft || shadow?.revisions[`draft:${id}`] !== undefined;
    // Lists are late, so a draft is read by its id.
    const draft = mayHaveDraft ? await this.#site.lookAtDraft(id, options) : undefined;
    if (isPublished) {
      const record = isDraft || isWithoutFiles(hit) ? await this.#site.lookAtRecord(id, options) : hit;
      if (record) await this.#site.keepRecord(record, { isAlone: !draft, isOwn: true });
    }
    if (draft) await this.#site.keepDraft(draft, await this.#site.filesOfDraft(id, options));
    return true;
  }

  /** Whether a record here has a file whose MD5 the server had not computed yet: nothing in a list shows it later. */
  async #lacksFiles({ id, parent, is_published }: TheirRecord): Promise<boolean> {
    if (!is_published) return false;
    const shadow = await findShadow(this.#db, { kind: "family", id: parent.id });
    return filesOf(shadow, "record", id).some(({ status }) => status !== "completed");
  }

  async #readRecord(id: string): Promise<void> {
    const record = await this.#site.lookAtRecord(id, { urgency: "poll" });
    if (record) await this.#site.keepRecord(record, { isOwn: true });
  }

  /** The user's own and shared drafts and records that no list showed. */
  async #listMissing(seen: ReadonlySet<string>): Promise<{ part: Part; id: string }[]> {
    const missing: { part: Part; id: string }[] = [];
    for (const { part, id, family_id } of await listContents(this.#db)) {
      if (seen.has(`${part}:${id}`)) continue;
      const shadow = await findShadow(this.#db, { kind: "family", id: family_id });
      // Records that were opened only for reading are in no list of the user.
      if (shadow?.bundle.rows.parent?.[0]?.viewer_level !== "view") missing.push({ part, id });
    }
    return missing;
  }

  async #checkIsThere(part: Part, id: string): Promise<void> {
    const options = { urgency: "poll" } as const;
    await this.#readOrWithdraw(part, id, async () => {
      if (part === "draft" && (await this.#site.lookAtDraft(id, options))) return;
      const record = await this.#site.lookAtRecord(id, options);
      if (!record) await this.#site.keepGone(part, id);
      // Published, or the edit of the record was discarded.
      else if (part === "draft") await this.#site.keepRecord(record, { isAlone: true, isOwn: true });
    });
  }

  /** Reads something of a draft or record. If this user may not see it any more, it is withdrawn here. */
  async #readOrWithdraw(part: Part, id: string, read: () => Promise<void>): Promise<void> {
    try {
      await readable(read());
    } catch (error) {
      if (!(error instanceof Failure && error.kind === "forbidden")) throw error;
      await this.#site.keepGone(part, id, "withdrawn");
    }
  }
}
