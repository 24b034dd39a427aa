import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { stringifySearch } from "../../address.ts";
import type { LibrarySearch, LibraryView } from "../../api-client/records.ts";

const route = getRouteApi("/");
const facetNames = [
  "access_status",
  "resource_type",
  "language",
  "subject",
  "file_type",
  "publication_date",
  "is_published",
] as const;
const typingMs = 180;

/** The query of the library. It lives in the address alone, so every view of it is a link. */
export function useLibrarySearch() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/" });
  const facets: Record<string, string[]> = {};
  for (const name of facetNames) if (search[name]) facets[name] = search[name];
  const query: LibrarySearch = {
    view: search.view ?? "mine",
    q: search.q ?? "",
    sort: search.sort ?? (search.q ? "" : "updated-desc"),
    facets,
    isRemote: search.scope === "server",
  };
  const change = (part: Partial<typeof search>, replace = true) =>
    void navigate({ search: (now: typeof search) => ({ ...now, ...part }), replace });
  const setFilter = (name: string, values: string[]) => change({ [name]: values.length ? values : undefined }, false);
  return {
    query,
    /** The whole query as it stands in the address. */
    address: stringifySearch(search),
    isFiltered: query.q !== "" || Object.keys(facets).length > 0,
    setText: (q: string) => change({ q: q || undefined, sort: undefined }),
    setRemote: (isRemote: boolean) => change({ scope: isRemote ? "server" : undefined }, false),
    setSort: (sort: string) => change({ sort }),
    setView: (view: string) => void navigate({ search: { view: view as LibraryView, q: search.q } }),
    setFilter,
    toggle: (name: string, value: string) => {
      const before = facets[name] ?? [];
      setFilter(name, before.includes(value) ? before.filter((one) => one !== value) : [...before, value]);
    },
    clear: () => void navigate({ search: { view: search.view } }),
  };
}

/**
 * The text of the box, written to the address a moment after the last key. It follows the address only when that
 * changed otherwise: what is typed while an earlier text arrives there is kept.
 */
export function useTypedText(value: string, commit: (text: string) => void) {
  const [text, setText] = useState(value);
  const written = useRef(value);
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      commit(text);
    }, typingMs);
    return () => clearTimeout(timer);
  });
  return [text, setText] as const;
}
