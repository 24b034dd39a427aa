import { createHash, timingSafeEqual } from "node:crypto";
import type { Host } from "../kernel/host.ts";

/** Lets scanners for leaked secrets recognise a token (requests 2.3). */
const prefix = "carrel_";

/** A new secret: printable, 256 random bits, never stored. */
export const mintSecret = (host: Host): string => `${prefix}${host.newToken()}`;

/** The digest that is stored instead of the secret. */
export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Compares two digests in constant time. */
export const isSameDigest = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
