/** What happens to an address that a page wants to go to. */
export type Destination = { kind: "stay" } | { kind: "outside"; url: string } | { kind: "refused" };

const outside = new Set(["https:", "mailto:"]);

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * A window never leaves the local API's origin. Web pages and mail addresses go to the system's own programs; every
 * other scheme (`file:`, `smb:`, `ms-settings:` …) could start anything there, and is refused.
 */
export function destinationOf(address: string, apiOrigin: string | undefined): Destination {
  const url = parseUrl(address);
  if (!url) return { kind: "refused" };
  if (apiOrigin !== undefined && url.origin === apiOrigin) return { kind: "stay" };
  const hasSecrets = url.username !== "" || url.password !== "";
  if (!outside.has(url.protocol) || hasSecrets) return { kind: "refused" };
  return { kind: "outside", url: url.href };
}
