import type { UserRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { compareCodePoints, fixedCatalogue } from "../search/language/field.ts";
import { flatten, plainProjection } from "../search/language/flatten.ts";
import { AnalysisCache, type Comparator, type FoundItems, searchList } from "../search/lists/list-search.ts";
import { analysed } from "../search/lists/memory-matcher.ts";
import type { SearchRequest, SearchRules } from "../search/search-parameters.ts";
import { mayReadUser, seesEmail } from "./user.policy.ts";

/** At most ten hits and no paging (requests 12). */
export const userSearchRules: SearchRules = {
  sorts: ["bestmatch", "username", "email", "domain", "newest", "oldest", "updated"],
  defaultSort: "newest",
  defaultSize: 10,
  hasSuggest: true,
  isFixedPage: true,
};

const names = new Map([
  ["name", "profile.full_name"],
  ["full_name", "profile.full_name"],
  ["fullname", "profile.full_name"],
  ["affiliation", "profile.affiliations"],
  ["affiliations", "profile.affiliations"],
]);

const catalogue = fixedCatalogue({
  kinds: { username: "text", email: "address", "profile.full_name": "text", "profile.affiliations": "text" },
  defaults: { username: 2, email: 1, "profile.full_name": 2, "profile.affiliations": 1 },
  options: { hasPrefixWords: true, isClosed: true, resolve: (name) => names.get(name) ?? name },
});
const projection = plainProjection(catalogue);
const cache = new AnalysisCache();

/** The searchable text of a user. A hidden address never matches, not even for its owner: all callers get equal results. */
function documentOf(user: UserRow) {
  const isOpen = user.email_visibility === "public";
  return cache.of(`${user.id}:${user.revision_id}:${user.updated}`, () => {
    const { username, full_name, affiliations } = user;
    const json = { username, profile: { full_name, affiliations }, ...(isOpen ? { email: user.email } : {}) };
    return analysed(flatten(json, projection));
  });
}

const newest: Comparator<UserRow> = (a, b) => b.created - a.created || compareCodePoints(a.id, b.id);
const byText =
  (textOf: (user: UserRow) => string): Comparator<UserRow> =>
  (a, b) => {
    const [left, right] = [textOf(a), textOf(b)];
    if (left === "" || right === "") return Number(left === "") - Number(right === "") || newest(a, b);
    return compareCodePoints(left, right) || newest(a, b);
  };

/** Puts exact matches first (search 9). */
function withExactFirst(found: FoundItems<UserRow>, request: SearchRequest): FoundItems<UserRow> {
  if (request.sort !== "bestmatch") return found;
  const text = (request.suggest ?? request.q ?? "").trim().toLowerCase();
  const exact = found.matched.find((user) => user.username.toLowerCase() === text);
  if (!exact) return found;
  return { ...found, hits: [exact, ...found.hits.filter((user) => user !== exact)].slice(0, request.limit) };
}

/** Searches a word with an @ in addresses only. Its parts must not match the name of a user whose address is hidden. */
const withAddresses = (request: SearchRequest): SearchRequest => ({
  ...request,
  q: request.q?.replace(/(^|\s)([^\s:"()]+@[^\s:"()]+)/g, "$1email:$2"),
});

const maxNearWords = 5;

/** The words of a suggestion with near spellings; undefined where there is nothing to spell. Addresses are not guessed. */
function nearRequest(request: SearchRequest): SearchRequest | undefined {
  const { suggest } = request;
  if (suggest === undefined || suggest.includes("@")) return undefined;
  const words = suggest.match(/[\p{L}\p{N}]+/gu)?.slice(0, maxNearWords) ?? [];
  if (words.length === 0) return undefined;
  const q = words.map((word) => `(username:${word}~ OR profile.full_name:${word}~)`).join(" AND ");
  return { ...request, suggest: undefined, q };
}

/** Users with a near spelling stand after the others (interoperability 25). */
function withNear(found: FoundItems<UserRow>, near: FoundItems<UserRow>, { limit }: SearchRequest) {
  const known = new Set(found.matched);
  const more = near.matched.filter((user) => !known.has(user));
  const hits = [...found.hits, ...near.hits.filter((user) => !known.has(user))].slice(0, limit);
  return { hits, total: found.total + more.length, matched: [...found.matched, ...more] };
}

/**
 * Users that the caller may find: those with a public profile, and the caller.
 * @throws Failure 400 for a mistyped value.
 */
export async function searchUsers(
  all: readonly UserRow[],
  caller: Caller,
  request: SearchRequest,
  now: number,
): Promise<FoundItems<UserRow>> {
  const emailOf = (user: UserRow): string => (seesEmail(caller, user) ? user.email.toLowerCase() : "");
  const sorts: Record<string, Comparator<UserRow>> = {
    bestmatch: newest,
    newest,
    oldest: (a, b) => a.created - b.created || compareCodePoints(a.id, b.id),
    updated: (a, b) => b.updated - a.updated || compareCodePoints(a.id, b.id),
    username: byText((user) => user.username),
    email: byText(emailOf),
    domain: byText((user) => emailOf(user).split("@")[1] ?? ""),
  };
  const readable = all.filter((user) => mayReadUser(caller, user));
  const search = { catalogue, documentOf, sorts, now };
  const found = withExactFirst(await searchList(readable, withAddresses(request), search), request);
  const near = nearRequest(request);
  return near ? withNear(found, await searchList(readable, near, search), request) : found;
}
