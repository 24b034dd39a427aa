import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
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
    void navigate({ search: { ...search, ...part }, replace });
  return {
    query,
    setText: (q: string) => change({ q: q || undefined, sort: undefined }),
    setRemote: (isRemote: boolean) => change({ scope: isRemote ? "server" : undefined }, false),
    setSort: (sort: string) => change({ sort }),
    setView: (view: string) => void navigate({ search: { view: view as LibraryView, q: search.q } }),
    toggle: (name: string, value: string) => {
      const before = facets[name] ?? [];
      const next = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
      change({ [name]: next.length ? next : undefined }, false);
    },
    clear: () => void navigate({ search: { view: search.view } }),
  };
}

/** The text of the box, following the address, and written to it a moment after the last key. */
export function useTypedText(value: string, commit: (text: string) => void) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => commit(text), typingMs);
    return () => clearTimeout(timer);
  });
  return [text, setText] as const;
}
