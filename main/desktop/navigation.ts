/** What happens with an address that a page navigates to. */
export type Destination = { kind: "stay" } | { kind: "outside"; url: string } | { kind: "refused" };

const outside = new Set(["https:", "mailto:"]);

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * A window never leaves the local API's origin. Web and mail addresses open in the system's programs. Every other
 * scheme (`file:`, `smb:`, `ms-settings:` …) is refused, since it could start anything.
 */
export function destinationOf(address: string, apiOrigin: string | undefined): Destination {
  const url = parseUrl(address);
  if (!url) return { kind: "refused" };
  if (apiOrigin !== undefined && url.origin === apiOrigin) return { kind: "stay" };
  const hasSecrets = url.username !== "" || url.password !== "";
  if (!outside.has(url.protocol) || hasSecrets) return { kind: "refused" };
  return { kind: "outside", url: url.href };
}
