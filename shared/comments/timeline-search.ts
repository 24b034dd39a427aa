import type { EventRow } from "../database/schema.ts";
import { compareCodePoints, fixedCatalogue } from "../search/language/field.ts";
import { flatten, plainProjection } from "../search/language/flatten.ts";
import { AnalysisCache, type Comparator, type FoundItems, searchList } from "../search/lists/list-search.ts";
import { analysed } from "../search/lists/memory-matcher.ts";
import type { SearchRequest, SearchRules } from "../search/search-parameters.ts";

/** Parameters of timelines and lists of replies (requests 7, 8). */
export const timelineRules: SearchRules = {
  sorts: ["oldest", "newest", "bestmatch"],
  defaultSort: "oldest",
  defaultSortWithQuery: "oldest",
  defaultSize: 10,
};

const catalogue = fixedCatalogue({
  kinds: {
    "payload.content": "text",
    id: "keyword",
    type: "keyword",
    "created_by.user": "keyword",
    created: "time",
    updated: "time",
    "about.field": "keyword",
    "about.file": "keyword",
  },
  defaults: { "payload.content": 1 },
});
const projection = plainProjection(catalogue, ["payload.content"]);
const cache = new AnalysisCache();

function documentOf(event: EventRow) {
  const { id, type, content, created, updated, revision_id } = event;
  return cache.of(`${id}:${revision_id}:${updated}`, () => {
    const about = event.about === null ? {} : { about: JSON.parse(event.about) };
    const json = { id, type, created, updated, payload: { content }, created_by: { user: event.creator_id }, ...about };
    return analysed(flatten(json, projection));
  });
}

/** Sorts in the order of writing, as `listEvents` does. */
const oldest: Comparator<EventRow> = (a, b) => a.position - b.position || compareCodePoints(a.id, b.id);

/** Searches the events of one conversation. @throws Failure 400 for a mistyped value. */
export const searchEvents = (
  events: readonly EventRow[],
  request: SearchRequest,
  now: number,
): Promise<FoundItems<EventRow>> =>
  searchList(events, request, {
    ...{ catalogue, documentOf, now },
    sorts: { oldest, bestmatch: oldest, newest: (a, b) => oldest(b, a) },
  });
