import type { UserRow } from "../database/schema.ts";
import { fold } from "../search/language/analysis.ts";
import { compareCodePoints } from "../search/language/field.ts";
import type { SearchRequest, SearchRules } from "../search/search-parameters.ts";

/** `GET /api/administration/people`. Every word of `q` begins a word of the name, account, address or affiliation. */
export const personListRules: SearchRules = {
  sorts: ["name", "newest", "last_seen", "storage"],
  defaultSort: "name",
  defaultSortWithQuery: "name",
  defaultSize: 25,
  maxSize: 200,
  filters: ["state", "role"],
};

export const personStates = ["active", "inactive", "unconfirmed"] as const;
export type PersonState = (typeof personStates)[number];

export function stateOf({ active, confirmed }: Pick<UserRow, "active" | "confirmed">): PersonState {
  if (active === 0) return "inactive";
  return confirmed === 1 ? "active" : "unconfirmed";
}

/** A user with what an administrator sees of them. */
export interface Person {
  user: UserRow;
  roles: readonly string[];
  /** Microseconds UTC of the last use of a session or token; undefined if there was none. */
  lastSeen: number | undefined;
  usedBytes: number;
  hasSecondFactor: boolean;
}

/** Signs are words, too: a name may be emoji alone. */
const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}\p{S}@.-]+/u)
    .filter(Boolean);

function matches({ username, email, full_name, affiliations, id }: UserRow, queryWords: readonly string[]): boolean {
  const words = wordsOf(`${username} ${email} ${full_name} ${affiliations} ${id}`);
  return queryWords.every((word) => words.some((own) => own.startsWith(word)));
}

/** By name without accents: “Özdemir” stands between “Otto” and “Paul”. */
function sortedByName(people: readonly Person[]): Person[] {
  const named = people.map((person) => ({ person, name: fold(person.user.full_name || person.user.username) }));
  named.sort((a, b) => compareCodePoints(a.name, b.name) || compareCodePoints(a.person.user.id, b.person.user.id));
  return named.map(({ person }) => person);
}

/** Comparisons for people who are sorted by name. Equal people keep that order. */
const orders: Record<string, (a: Person, b: Person) => number> = {
  newest: (a, b) => b.user.created - a.user.created,
  last_seen: (a, b) => (b.lastSeen ?? 0) - (a.lastSeen ?? 0),
  storage: (a, b) => b.usedBytes - a.usedBytes,
};

/** The people who pass the request's text and filters, in its order: all pages. */
export function listedPeople(people: readonly Person[], { q, filters, sort }: SearchRequest): Person[] {
  const queryWords = wordsOf(q ?? "");
  const states = filters.get("state") ?? [];
  const roles = filters.get("role") ?? [];
  const found = people
    .filter((person) => states.length === 0 || states.includes(stateOf(person.user)))
    .filter((person) => roles.length === 0 || roles.some((role) => person.roles.includes(role)))
    .filter(({ user }) => matches(user, queryWords));
  return sortedByName(found).sort(orders[sort] ?? (() => 0));
}
