/** A page of this site, so that nobody is sent elsewhere after signing in. */
export function ownPath(next: unknown): string {
  const isOwn = typeof next === "string" && /^\/(?![/\\])/.test(next) && !/[\p{Cc}\\]/u.test(next);
  return isOwn ? next : "/";
}

/** A page from which the user goes on to `next`. */
export const onWayTo = (next: string, path: string, query: Record<string, string> = {}): string => {
  const parameters = new URLSearchParams(next === "/" ? query : { ...query, next });
  return parameters.size === 0 ? path : `${path}?${parameters}`;
};
