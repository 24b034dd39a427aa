import type { RequestRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { invalidField } from "../kernel/failure.ts";
import { countValues, termsFacet } from "../search/facets.ts";
import { compareCodePoints, fixedCatalogue } from "../search/language/field.ts";
import { flatten, plainProjection } from "../search/language/flatten.ts";
import { AnalysisCache, type Comparator, searchList } from "../search/lists/list-search.ts";
import { analysed } from "../search/lists/memory-matcher.ts";
import type { SearchRequest, SearchRules } from "../search/search-parameters.ts";
import { isClosed, isOpen } from "./request.lifecycle.ts";
import {
  isReviewer,
  type Person,
  reviewingGroups,
  reviewingUsers,
  waitsFor,
  waitsForChanges,
} from "./reviewer.policy.ts";

/** Parameters of the lists of requests (requests 6). */
export const requestSearchRules: SearchRules = {
  sorts: ["bestmatch", "name", "newest", "oldest", "newestactivity", "oldestactivity"],
  defaultSort: "newest",
  defaultSize: 10,
  booleans: ["is_open", "changes_requested"],
  filters: ["created_by", "receiver", "waits_for", "topic", "status", "type"],
};

/** Parameters of the user's own list of requests. */
export const ownRequestSearchRules: SearchRules = {
  ...requestSearchRules,
  booleans: [...(requestSearchRules.booleans ?? []), "shared_with_me"],
};

const catalogue = fixedCatalogue({
  kinds: {
    title: "text",
    description: "text",
    id: "keyword",
    number: "keyword",
    status: "keyword",
    type: "keyword",
    "created_by.user": "keyword",
    "receiver.user": "keyword",
    "receiver.group": "keyword",
    "topic.record": "keyword",
    is_open: "boolean",
    is_closed: "boolean",
    changes_requested: "boolean",
    created: "time",
    updated: "time",
    expires_at: "time",
    last_activity_at: "time",
  },
  defaults: { title: 3, description: 1, number: 2 },
});
const projection = plainProjection(catalogue);
const cache = new AnalysisCache();

/** A request with its type. */
export interface TypedRequest extends RequestRow {
  type: string;
}

function documentOf(request: TypedRequest) {
  const { type, id, number, title, description, status, created, updated, expires_at, last_activity_at } = request;
  return cache.of(`${id}:${request.revision_id}:${last_activity_at}`, () => {
    const json = {
      ...{ id, number, title, description, status, created, updated, expires_at, last_activity_at, type },
      created_by: { user: request.creator_id },
      receiver: { user: reviewingUsers(request), group: reviewingGroups(request) },
      topic: { record: request.topic_record_id },
      is_open: isOpen(status),
      is_closed: isClosed(status),
      changes_requested: waitsForChanges(request),
    };
    return analysed(flatten(json, projection));
  });
}

const byId: Comparator<TypedRequest> = (a, b) => compareCodePoints(a.id, b.id);
const newest: Comparator<TypedRequest> = (a, b) => b.created - a.created || byId(a, b);
const sorts: Record<string, Comparator<TypedRequest>> = {
  bestmatch: byId,
  newest,
  oldest: (a, b) => a.created - b.created || byId(a, b),
  newestactivity: (a, b) => b.last_activity_at - a.last_activity_at || byId(a, b),
  oldestactivity: (a, b) => a.last_activity_at - b.last_activity_at || byId(a, b),
  name: (a, b) => compareCodePoints(a.title.toLowerCase(), b.title.toLowerCase()) || newest(a, b),
};

const statusLabels: Record<string, string> = {
  draft: "Draft",
  submitted: "Submitted",
  expired: "Expired",
  accepted: "Accepted",
  declined: "Declined",
  cancelled: "Cancelled",
};

/**
 * The ids in `kind:id` values of a parameter; undefined when it has no value of this kind.
 * @throws Failure 400 with the parameter as field for a value without a colon.
 */
function idsOf(request: SearchRequest, name: string, kind: string): string[] | undefined {
  const ids: string[] = [];
  for (const value of request.filters.get(name) ?? []) {
    const colon = value.indexOf(":");
    if (colon < 0) throw invalidField(name, `A value such as '${kind}:<id>' is expected.`);
    if (value.slice(0, colon) === kind) ids.push(value.slice(colon + 1));
  }
  return ids.length > 0 ? ids : undefined;
}

/** Applies the filters for users and topics. Unlike `status` and `type`, they narrow the aggregations too. */
function narrowed(readable: readonly TypedRequest[], request: SearchRequest, caller: Caller): TypedRequest[] {
  // Only the caller's own groups are known here.
  const person = (userId: string): Person => (userId === caller.userId ? caller : { userId, roles: new Set() });
  const creators = idsOf(request, "created_by", "user");
  const receivers = idsOf(request, "receiver", "user");
  const waiting = idsOf(request, "waits_for", "user");
  const topics = idsOf(request, "topic", "record");
  const mustBeOpen = request.booleans.get("is_open");
  const mustWait = request.booleans.get("changes_requested");
  return readable.filter(
    (row) =>
      (creators?.includes(row.creator_id) ?? true) &&
      (receivers?.some((id) => isReviewer(row, person(id))) ?? true) &&
      (waiting?.some((id) => waitsFor(row, person(id))) ?? true) &&
      (topics?.includes(row.topic_record_id) ?? true) &&
      (mustBeOpen === undefined || isOpen(row.status) === mustBeOpen) &&
      (mustWait === undefined || waitsForChanges(row) === mustWait),
  );
}

/**
 * Searches requests that the caller may read.
 * @throws Failure 400 for a filter without a colon or a mistyped value.
 */
export async function searchRequests(
  readable: readonly TypedRequest[],
  request: SearchRequest,
  { caller, now }: { caller: Caller; now: number },
) {
  const statuses = request.filters.get("status") ?? [];
  const types = request.filters.get("type") ?? [];
  const filter = ({ status, type }: TypedRequest): boolean =>
    (statuses.length === 0 || statuses.includes(status)) && (types.length === 0 || types.includes(type));
  const found = await searchList(narrowed(readable, request, caller), request, {
    catalogue,
    documentOf,
    sorts,
    filter,
    now,
  });
  const aggregations = {
    type: termsFacet({
      label: "Type",
      counts: countValues(found.matched, (row) => [row.type]),
      labelOf: (key) => key,
      selected: types,
    }),
    status: termsFacet({
      label: "Status",
      counts: countValues(found.matched, (row) => [row.status]),
      labelOf: (key) => statusLabels[key] ?? key,
      selected: statuses,
    }),
  };
  return { hits: found.hits, total: found.total, aggregations };
}
