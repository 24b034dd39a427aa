/** The query of a call as it was sent, with its question mark; empty if there is none. */
export function sentQuery({ originalUrl }: { originalUrl: string }): string {
  const start = originalUrl.indexOf("?");
  return start < 0 ? "" : originalUrl.slice(start);
}
