import type { Request } from "express";

export const csrfCookie = "csrftoken";
/** Secrets of the access links that a browser has opened (web 9). */
export const linksCookie = "links";

/**
 * The name of a cookie that only this host can set: over https browsers accept `__Host-` cookies from no other host,
 * not even a sibling domain.
 */
export const hostCookie = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

/** The value of a call's cookie, or undefined. */
export function cookieOf(req: Request, name: string): string | undefined {
  for (const part of (req.headers.cookie ?? "").split(";")) {
    const [key, ...value] = part.split("=");
    if (key?.trim() === name) return value.join("=").trim() || undefined;
  }
  return undefined;
}

export interface CookieOptions {
  isHttpOnly: boolean;
  isSecure: boolean;
  /** 0 deletes the cookie. */
  maxAgeSeconds: number;
  /** The pages that it is sent to; all by default. */
  path?: string;
}

/** A `Set-Cookie` value (requests 2.1). Our names and values need no escaping. */
export function cookieText(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${options.path ?? "/"}`, "SameSite=Lax", `Max-Age=${options.maxAgeSeconds}`];
  if (options.isHttpOnly) parts.push("HttpOnly");
  if (options.isSecure) parts.push("Secure");
  return parts.join("; ");
}
