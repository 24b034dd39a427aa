/** Address of the local API and the secret of this start (hosts-and-sync 2). */
export interface ApiAddress {
  url: string;
  token: string;
}

interface Sent {
  url: string;
  /** Origin of the requesting page; undefined for the window itself. */
  initiatorOrigin?: string | undefined;
  requestHeaders: Record<string, string>;
}

/** URL patterns of the local API, for the filter of `webRequest`. */
export function addressPatterns({ url }: ApiAddress): string[] {
  const { host } = new URL(url);
  return [`http://${host}/*`, `ws://${host}/*`];
}

/**
 * The headers of a request. Adds the secret only for our own page and the local API's exact origin, so that pages never
 * hold it. Images, downloads and sockets get it too.
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
