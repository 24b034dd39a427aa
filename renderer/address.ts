// Keeps plain query strings (`?q=x&language=eng&language=dan`), which users can read and type.

type Search = Record<string, unknown>;

export function parseSearch(text: string): Search {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = search[name];
    search[name] = before === undefined ? value : [before, value].flat();
  }
  return search;
}

export function stringifySearch(search: Search): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== "") params.append(name, String(one));
  }
  const text = params.toString();
  return text ? `?${text}` : "";
}

/** The address of a record in the app, where the public page of the record has the plain one. */
const placeOfRecord = (pathname: string): string => (pathname.startsWith("/records/") ? `/me${pathname}` : pathname);

/** Routes of records stand below `/me` where there are public pages (design, web 5). */
export const besidePublicPages = {
  input: ({ url }: { url: URL }) => {
    if (url.pathname.startsWith("/me/records/")) url.pathname = url.pathname.slice("/me".length);
    return url;
  },
  output: ({ url }: { url: URL }) => {
    url.pathname = placeOfRecord(url.pathname);
    return url;
  },
};
