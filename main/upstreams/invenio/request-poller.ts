import { recall, remember } from "../../sync/person.repository.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import { keepRequest, lookAtRequest, markRequestWithdrawn, readConversation } from "./conversations.ts";
import type { Looks } from "./poll.policy.ts";
import { type Page, pageOf } from "./read/their-record.ts";
import { activityOf, mayLackEvents, type TheirRequest, theirRequest, theirRequests } from "./read/their-request.ts";
import { refusedRead } from "./rest-line.ts";
import { findShadow, listShadowIds } from "./shadow.repository.ts";
import type { Site } from "./site.ts";

const [defaultSize, copySize] = [25, 100];
/** Version 13 does not say when somebody wrote. So a few open conversations are read at each look. */
const readAtOnce = 5;

/** Looks for changes of requests, within the server's limits. */
export class RequestPoller {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  async #looks(): Promise<Looks> {
    return (await recall(this.#site.db, "looks")) ?? {};
  }

  async #note(change: Looks): Promise<void> {
    await remember(this.#site.db, "looks", { ...(await this.#looks()), ...change });
  }

  /** A page of all requests that the user may read; undefined if the server does not know the order. */
  async #page(page: number, size: number, sort: string): Promise<Page<TheirRequest> | undefined> {
    // Without the slash it would be a redirect (upstreams F23).
    const path = `/api/requests/?sort=${sort}&page=${page}&size=${size}&expand=1`;
    const answer = await this.#site.line.read(path, { urgency: "poll" });
    // The search window ends here (upstreams F16). What follows was active or made before all that was listed.
    if (answer.status === 400 && page > 1) return { hits: [], isLast: true };
    if (answer.status === 400 && sort === "newestactivity") return undefined;
    if (answer.status !== 200) throw refusedRead(answer);
    return pageOf(theirRequest, validateAnswer(theirRequests, answer.body).hits.hits, size);
  }

  /** The newest changes; all requests at first, and after a look that the limits ended. */
  async look(): Promise<void> {
    const { requestSort: sort = "newestactivity", areRequestsCopied: isCopied = false } = await this.#looks();
    const size = isCopied ? defaultSize : copySize;
    let read = 0;
    let isBehind = !isCopied;
    for (let page = 1; ; page++) {
      const found = await this.#page(page, size, sort);
      if (!found) return this.#isNewToSort();
      let isAllKnown = true;
      for (const hit of found.hits) {
        const news = await this.#newsOf(hit, sort === "newest" && isCopied && read < readAtOnce);
        if (news === "none") continue;
        if (news === "maybe") read++;
        else {
          isAllKnown = false;
          if (!isBehind) await this.#note({ areRequestsCopied: false });
          isBehind = true;
        }
        if (!this.#site.line.mayCall("poll")) return;
        await keepRequest(this.#site, hit, await readConversation(this.#site, hit.id, "poll"));
      }
      if (found.isLast || (isCopied && isAllKnown)) break;
      if (!this.#site.line.mayCall("poll")) return;
    }
    if (isBehind) await this.#note({ areRequestsCopied: true });
  }

  async #isNewToSort(): Promise<void> {
    await this.#note({ requestSort: "newest" });
    await this.look();
  }

  async #newsOf(hit: TheirRequest, mayHaveNews: boolean): Promise<"none" | "maybe" | "some"> {
    const shadow = await findShadow(this.#site.db, { kind: "request", id: hit.id });
    const isSame =
      shadow?.revisions[`request:${hit.id}`] === hit.revision_id &&
      shadow.revisions[`activity:${hit.id}`] === activityOf(hit);
    if (!isSame) return "some";
    return (hit.is_open && mayHaveNews) || mayLackEvents(shadow, hit.id) ? "maybe" : "none";
  }

  /** Walks over all requests, then looks at each one that no list showed. */
  async sweep(): Promise<void> {
    const seen = new Set<string>();
    for (let page = 1; ; page++) {
      if (!this.#site.line.mayCall("poll")) return;
      const found = await this.#page(page, copySize, "newest");
      for (const { id } of found?.hits ?? []) seen.add(id);
      if (found?.isLast !== false) break;
    }
    for (const id of await listShadowIds(this.#site.db, "request")) {
      if (seen.has(id)) continue;
      if (!this.#site.line.mayCall("poll")) return;
      if (!(await lookAtRequest(this.#site, id, "poll"))) await markRequestWithdrawn(this.#site, id);
    }
  }
}
