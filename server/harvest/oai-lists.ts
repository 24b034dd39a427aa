import { createHash } from "node:crypto";
import type { HarvestItemRow } from "../../shared/database/schema.ts";
import type { Children } from "../../shared/representations/xml.ts";
import { collectionSpec, isCollectionSet } from "./collection-sets.ts";
import type { HarvestService } from "./harvest.service.ts";
import { OaiError, type OaiRequest, readRange, readSet, type Verb } from "./oai-arguments.ts";
import { metadataIn, type OaiFormat } from "./oai-formats.ts";
import type { OaiSite } from "./oai-site.ts";
import { type ListState, resumptionTokens } from "./oai-token.ts";
import { headerOf, recordOf, tokenElement } from "./oai-xml.ts";

/** Items of a page. */
export type PageSizes = Record<"ListRecords" | "ListIdentifiers", number>;

export interface OaiListParts {
  site: OaiSite;
  harvest: HarvestService;
  /** Signs the tokens. */
  secret: Uint8Array;
  pageSizes: PageSizes;
}

/** Items with their metadata, as `record` elements. */
export async function recordsIn(
  { site, harvest }: Pick<OaiListParts, "site" | "harvest">,
  format: OaiFormat,
  items: readonly HarvestItemRow[],
): Promise<Children> {
  const records = await harvest.recordsOf(items);
  return records.map(({ item, record }) =>
    recordOf(headerOf(item, site.identifierOf(item)), record && metadataIn(format, record)),
  );
}

/** Answers `ListRecords` and `ListIdentifiers`, page by page. */
export function oaiLists(parts: OaiListParts) {
  const { site, harvest, pageSizes } = parts;
  const tokens = resumptionTokens(parts.secret, site.namespace);

  /** What decides on the items of a list besides the records: the query, for the set of a collection. */
  async function rulesOf(set = ""): Promise<string | undefined> {
    if (!isCollectionSet(set)) return undefined;
    const query = (await harvest.collections()).find(({ slug }) => collectionSpec(slug) === set)?.query;
    return query === undefined ? undefined : createHash("sha256").update(query).digest("base64url").slice(0, 16);
  }

  /** @throws OaiError `badResumptionToken` */
  async function stateIn(token: string, verb: Verb): Promise<ListState> {
    const state = tokens.read(token, verb);
    if (state.rules === (await rulesOf(state.set))) return state;
    throw new OaiError("badResumptionToken", "The set has changed since the list began.");
  }

  async function firstState({ verb, given }: OaiRequest, time: number): Promise<ListState> {
    const { prefix: metadataPrefix } = site.formatOf(given.get("metadataPrefix") ?? "");
    const range = readRange(given);
    // After a step back of the clock, the last change may lie ahead of it.
    const until = range.until ?? Math.max(time, (await harvest.changes())?.last ?? 0);
    const { from } = range;
    const set = readSet(given);
    const rules = await rulesOf(set);
    const completeListSize = await harvest.count({ set, from, until });
    const isUntilGiven = range.until !== undefined;
    return { verb, metadataPrefix, set, rules, from, until, isUntilGiven, cursor: 0, completeListSize };
  }

  async function pageOf(state: ListState, size: number) {
    const page = await harvest.page(state, state.after, size);
    if (page.items.length > 0 || state.isUntilGiven || state.after === undefined) return { page, state };
    // Everything after the token changed meanwhile, and stands behind the end of the list now.
    const later = { ...state, until: Number.MAX_SAFE_INTEGER };
    return { page: await harvest.page(later, state.after, size), state: later };
  }

  /** @throws OaiError `noRecordsMatch`, `badResumptionToken`, `badArgument`, `cannotDisseminateFormat`. */
  return async (request: OaiRequest, verb: keyof PageSizes, time: number): Promise<Children> => {
    const token = request.given.get("resumptionToken");
    const requested = token === undefined ? await firstState(request, time) : await stateIn(token, verb);
    const { page, state } = await pageOf(requested, pageSizes[verb]);
    const last = page.items.at(-1);
    if (!last) throw new OaiError("noRecordsMatch", "No item matches.");
    const { cursor, completeListSize } = state;
    const after = { changed: last.changed, id: last.record_id };
    const next = page.hasMore && tokens.write({ ...state, after, cursor: cursor + page.items.length });
    const entries: Children =
      verb === "ListRecords"
        ? await recordsIn(parts, site.formatOf(state.metadataPrefix), page.items)
        : page.items.map((item) => headerOf(item, site.identifierOf(item)));
    return [...entries, tokenElement({ cursor, completeListSize, token: next || undefined })];
  };
}
