/** Where the local API answers and the secret of this start (hosts-and-sync 2). */
export interface ApiAddress {
  url: string;
  token: string;
}

interface Sent {
  url: string;
  /** Origin of the page that asks; absent for what the window itself asks. */
  initiatorOrigin?: string | undefined;
  requestHeaders: Record<string, string>;
}

/** URL patterns of the local API, for the filter of `webRequest`: its port alone, pages and sockets. */
export function addressPatterns({ url }: ApiAddress): string[] {
  const { host } = new URL(url);
  return [`http://${host}/*`, `ws://${host}/*`];
}

/**
 * The headers a request leaves with: the secret is added for the local API's exact origin, asked for by our own page,
 * so the page never holds it and images, downloads and sockets have it too. Anything else goes unchanged.
 */
export function headersOf(request: Sent, api: ApiAddress): Record<string, string> {
  const { origin, host } = new URL(api.url);
  const target = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const isApi = target !== undefined && target.host === host && ["http:", "ws:"].includes(target.protocol);
  const isOwn = request.initiatorOrigin === undefined || request.initiatorOrigin === origin;
  if (!isApi || !isOwn) return request.requestHeaders;
  const others = Object.entries(request.requestHeaders).filter(([name]) => name.toLowerCase() !== "authorization");
  return { ...Object.fromEntries(others), Authorization: `Bearer ${api.token}` };
}
