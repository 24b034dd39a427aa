import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Bundle, bundleSchema } from "../bundles/bundle.schema.ts";
import type { BundleDelta } from "./feed.schema.ts";

/** Window of deflate: a difference cannot refer further back. */
export const deltaWindow = 32 * 1024;

/** No object is larger. Guards against a few bytes that inflate to gigabytes. */
const maxUnfoldedBytes = 64 * 1024 * 1024;

/** An object as text. Bytes are in hex: inserting bytes into base64 would change all that follows. */
export const textOf = (bundle: Bundle): string =>
  JSON.stringify(bundle, (name, value) => (name === "$bytes" ? Buffer.from(value, "base64").toString("hex") : value));

const bundleOf = (text: string): unknown =>
  JSON.parse(text, (name, value) => (name === "$bytes" ? Buffer.from(value, "hex").toString("base64") : value));

/** Digest of both texts. Detects a difference that belongs to another text or is damaged. */
const sumOf = (before: string, after: string): string =>
  createHash("sha256").update(before).update("\n").update(after).digest("base64url").slice(0, 11);

/** The difference between two texts of an object. */
export function deltaOf(before: string, after: string): BundleDelta {
  const deflated = deflateRawSync(after, { dictionary: Buffer.from(before), level: 9 }).toString("base64");
  return { deflated, sum: sumOf(before, after) };
}

/** The later object; undefined when the difference does not belong to `before`. */
export function withDelta(before: string, { deflated, sum }: BundleDelta): Bundle | undefined {
  try {
    const limits = { dictionary: Buffer.from(before), maxOutputLength: maxUnfoldedBytes };
    const after = inflateRawSync(Buffer.from(deflated, "base64"), limits).toString();
    return sumOf(before, after) === sum ? bundleSchema.parse(bundleOf(after)) : undefined;
  } catch {
    // With another `before`, inflating fails or gives nonsense.
    return undefined;
  }
}
