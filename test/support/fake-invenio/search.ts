import { type Json, Refusal } from "./call.ts";
import type { Context } from "./route.ts";
import type { Content } from "./state.ts";

interface Page<T> {
  hits: T[];
  body: Json;
}

function numberOf(query: URLSearchParams, name: string, usual: number): number {
  const sent = query.get(name);
  if (sent === null) return usual;
  const value = Number(sent);
  if (!Number.isInteger(value) || value < 1)
    throw new Refusal(400, "A validation error occurred.", {
      errors: [{ field: name, messages: ["Invalid value."] }],
    });
  return value;
}

/** One page of what was found, sorted before. */
export function pageOf<T>({ site, query, call }: Context, found: readonly T[], sort: string): Page<T> {
  const size = numberOf(query, "size", 25);
  const page = numberOf(query, "page", 1);
  if (size > site.profile.maxHits && site.profile.kind === "zenodo")
    throw new Refusal(400, `Page size cannot be greater than ${site.profile.maxHits}. Please use a smaller page size.`);
  const { windowHits } = site.switches;
  if (page * size > windowHits)
    throw new Refusal(400, "A validation error occurred.", {
      errors: [{ field: "_schema", messages: [`Maximum number of ${windowHits} results have been reached.`] }],
    });
  const from = (page - 1) * size;
  const path = call.url.split("?")[0];
  const link = (number: number): string => {
    const next = new URLSearchParams(query);
    next.set("page", String(number));
    return `${site.url}${path}?${next}`;
  };
  return {
    hits: found.slice(from, from + size),
    body: {
      sortBy: sort,
      links: {
        self: link(page),
        ...(page > 1 ? { prev: link(page - 1) } : {}),
        ...(from + size < found.length ? { next: link(page + 1) } : {}),
      },
    },
  };
}

/** The order that was asked for. @throws Refusal 400 where the site does not know it. */
export function sortOf({ site, query }: Context, usual: string, known: readonly string[]): string {
  const sort = query.get("sort") ?? usual;
  if (!known.includes(sort) || site.switches.missingSorts.has(sort))
    throw new Refusal(400, "A validation error occurred.", {
      errors: [{ field: "sort", messages: [`Invalid sort option '${sort}'.`] }],
    });
  return sort;
}

export function sorted<T extends { created: number; updated: number }>(rows: T[], sort: string): T[] {
  switch (sort) {
    case "updated-asc":
      return rows.toSorted((a, b) => a.updated - b.updated);
    case "newest":
      return rows.toSorted((a, b) => b.created - a.created);
    case "oldest":
      return rows.toSorted((a, b) => a.created - b.created);
    default:
      return rows.toSorted((a, b) => b.updated - a.updated);
  }
}

const fieldOf = (content: Content, name: string): unknown => {
  const parts = name.split(".");
  if (parts[0] === "metadata")
    return parts.slice(1).reduce<unknown>((at, key) => (at as Json | undefined)?.[key], content.metadata);
  if (name === "parent.id") return content.familyId;
  if (name === "id" || name === "created" || name === "updated") return content[name];
  if (name === "versions.index") return content.index;
  return undefined;
};

function fitsRange(value: unknown, from: string, to: string): boolean {
  const at = Number(value);
  const first = from === "*" ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const last = to === "*" ? Number.POSITIVE_INFINITY : Date.parse(to);
  return at >= first && at <= last;
}

/** As much of the query language as upstream needs: field:value, field:"phrase", field:[a TO b], words, AND. */
export function fits(content: Content, q: string): boolean {
  const terms = [...q.matchAll(/([\w.]+):(\[(\S+) TO (\S+)\]|"([^"]*)"|\S+)|"([^"]*)"|\S+/g)];
  return terms.every(([whole, field, sent = "", from, to, phrase, words]) => {
    if (whole === "AND") return true;
    if (field === undefined)
      return JSON.stringify(content.metadata)
        .toLowerCase()
        .includes((words ?? whole).toLowerCase().replace(/\*$/, ""));
    const value = fieldOf(content, field);
    if (from !== undefined && to !== undefined) return fitsRange(value, from, to);
    const wanted = (phrase ?? sent).replaceAll("\\", "").toLowerCase();
    return String(value ?? "")
      .toLowerCase()
      .includes(wanted);
  });
}
