import { createHash, timingSafeEqual } from "node:crypto";
import type { Host } from "../kernel/host.ts";

/** Scanners for leaked secrets know a token by it (requests 2.3). */
const prefix = "carrel_";

/** Printable, 256 random bits; never stored. */
export const mintSecret = (host: Host): string => `${prefix}${host.newToken()}`;

/** What is stored instead of a secret. */
export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Compares in a time that does not depend on where two digests differ. */
export const isSameDigest = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
