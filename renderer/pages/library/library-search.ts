import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { stringifySearch } from "../../address.ts";
import type { LibrarySearch, LibraryView } from "../../api-client/records.ts";
import { arrived, isOwed, sent, typedTextOf } from "./typed-text.ts";

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
const typingMs = 180;

/** The library's query. It is stored in the address only, so every view is a link. */
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
  // The address may be ahead of the page, so each change starts from the address.
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
 * The text of a search box. Written to the address when typing pauses or the box is left. Props of a `SearchField`.
 * @param value the text in the address
 * @param commit writes a text to the address
 */
export function useTypedText(value: string, commit: (text: string) => void) {
  const [box, setBox] = useState(typedTextOf(value));
  if (box.value !== value) setBox(arrived(box, value));
  const send = () => {
    if (!isOwed(box)) return;
    setBox(sent);
    commit(box.text);
  };
  const onRest = useEffectEvent(send);
  const typed = isOwed(box) ? box.text : null;
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(onRest, typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return { value: box.text, onChange: (text: string) => setBox((now) => ({ ...now, text })), onBlur: send };
}
