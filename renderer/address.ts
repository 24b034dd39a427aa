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
