import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Bundle, bundleSchema } from "../bundles/bundle.schema.ts";
import type { BundleDelta } from "./feed.schema.ts";

/** So far back a text can be referred to. */
export const deltaWindow = 32 * 1024;

/** No object is larger; a few bytes could unfold to gigabytes. */
const mostUnfoldedBytes = 64 * 1024 * 1024;

/** An object as one text. Bytes are in hex: what is put between bytes in base64 would change all that follow. */
export const textOf = (bundle: Bundle): string =>
  JSON.stringify(bundle, (name, value) => (name === "$bytes" ? Buffer.from(value, "base64").toString("hex") : value));

const bundleOf = (text: string): unknown =>
  JSON.parse(text, (name, value) => (name === "$bytes" ? Buffer.from(value, "hex").toString("base64") : value));

/** Of both texts: so a difference is neither put to another text than it was made from, nor believed when damaged. */
const sumOf = (before: string, after: string): string =>
  createHash("sha256").update(before).update("\n").update(after).digest("base64url").slice(0, 11);

/** What makes one text of an object into a later one. */
export function deltaOf(before: string, after: string): BundleDelta {
  const deflated = deflateRawSync(after, { dictionary: Buffer.from(before), level: 9 }).toString("base64");
  return { deflated, sum: sumOf(before, after) };
}

/** The later object; undefined when the difference is not one to this text. */
export function withDelta(before: string, { deflated, sum }: BundleDelta): Bundle | undefined {
  try {
    const limits = { dictionary: Buffer.from(before), maxOutputLength: mostUnfoldedBytes };
    const after = inflateRawSync(Buffer.from(deflated, "base64"), limits).toString();
    return sumOf(before, after) === sum ? bundleSchema.parse(bundleOf(after)) : undefined;
  } catch {
    // Made from another text, it unfolds to nonsense or not at all.
    return undefined;
  }
}
