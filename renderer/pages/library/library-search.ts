import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { stringifySearch } from "../../address.ts";
import type { LibrarySearch, LibraryView } from "../../api-client/records.ts";
import { committed, isUncommitted, typedTextOf, withAddress } from "./typed-text.ts";

const route = getRouteApi("/me/uploads");
const facetNames = [
  "access_status",
  "resource_type",
  "language",
  "subject",
  "file_type",
  "publication_date",
  "is_published",
  "work",
  "review",
] as const;
type FacetName = (typeof facetNames)[number];
type Search = ReturnType<typeof route.useSearch>;
const typingPauseMs = 180;

/** The library's query. Only the address stores it, so every view has a link. */
export function useLibrarySearch() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/me/uploads" });
  const facets: Record<string, string[]> = {};
  for (const name of facetNames) if (search[name]) facets[name] = search[name];
  const query: LibrarySearch = {
    view: search.view ?? "mine",
    q: search.q ?? "",
    sort: search.sort ?? (search.q ? "" : "updated-desc"),
    facets,
    isRemote: search.scope === "server",
  };
  // Each change starts from the address, which may be newer than the rendered page.
  const move = (next: (now: Search) => Search, replace = false) => void navigate({ search: next, replace });
  const change = (part: Partial<Search>, replace = true) => move((now) => ({ ...now, ...part }), replace);
  const filter = (name: FacetName, next: (values: string[]) => string[]) =>
    move((now) => {
      const values = next(now[name] ?? []);
      return { ...now, [name]: values.length > 0 ? values : undefined };
    });
  const setRemote = useCallback(
    (isRemote: boolean, replace = false) =>
      void navigate({ search: (now: Search) => ({ ...now, scope: isRemote ? "server" : undefined }), replace }),
    [navigate],
  );
  return {
    query,
    /** The whole query from the address. */
    address: stringifySearch(search),
    isFiltered: query.q !== "" || Object.keys(facets).length > 0,
    setText: (q: string) => change({ q: q || undefined, sort: undefined }),
    setRemote,
    setSort: (sort: string) => change({ sort }),
    setView: (view: string) => move(({ q }) => ({ view: view as LibraryView, q })),
    setFilter: (name: string, values: string[]) => filter(name as FacetName, () => values),
    toggle: (name: string, value: string) =>
      filter(name as FacetName, (before) =>
        before.includes(value) ? before.filter((one) => one !== value) : [...before, value],
      ),
    clearFilters: () => move(({ view, q, sort }) => ({ view, q, sort })),
    clear: () => move(({ view }) => ({ view })),
  };
}

/**
 * The text of a search box, which goes to the address when the user stops typing or leaves the box.
 * @param value the text in the address
 * @param commit writes a text to the address
 * @returns props of a `SearchField`
 */
export function useTypedText(value: string, commit: (text: string) => void) {
  const [box, setBox] = useState(typedTextOf(value));
  if (box.value !== value) setBox(withAddress(box, value));
  const commitText = () => {
    if (!isUncommitted(box)) return;
    setBox(committed);
    commit(box.text);
  };
  const onPause = useEffectEvent(commitText);
  const uncommitted = isUncommitted(box) ? box.text : null;
  useEffect(() => {
    if (uncommitted === null) return;
    const timer = setTimeout(onPause, typingPauseMs);
    return () => clearTimeout(timer);
  }, [uncommitted]);
  return { value: box.text, onChange: (text: string) => setBox((now) => ({ ...now, text })), onBlur: commitText };
}
