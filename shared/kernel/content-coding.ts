import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";

export type Coding = "gzip" | "br";

const options = { gzip: { level: 4 }, br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } };

/** For fewer bytes, another thread takes longer to begin than the work takes here. */
const minThreadBytes = 16 * 1024;

const compressInThread: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  gzip: (bytes) => promisify(gzip)(bytes, options.gzip),
  br: (bytes) => promisify(brotliCompress)(bytes, options.br),
};

const compressNow: Record<Coding, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes, options.gzip),
  br: (bytes) => brotliCompressSync(bytes, options.br),
};

/**
 * The coding that an `Accept-Encoding` header prefers; gzip when it prefers neither. Undefined when it accepts none, or
 * prefers plain bytes (search-and-conventions 11).
 */
export function acceptedCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  // The usual header, recognized without parsing.
  if (/^gzip(?:, *deflate)?(?:, *br)?(?:, *zstd)?$/.test(header)) return "gzip";
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const quality = Number(parameters.find((text) => /^q *=/.test(text))?.replace(/^q *= */, "") ?? 1);
    qualities.set(name === "x-gzip" ? "gzip" : name, Number.isNaN(quality) ? 0 : quality);
  }
  const qualityOf = (name: string): number => qualities.get(name) ?? qualities.get("*") ?? 0;
  const best: Coding = qualityOf("br") > qualityOf("gzip") ? "br" : "gzip";
  return qualityOf(best) > 0 && qualityOf(best) >= (qualities.get("identity") ?? 0) ? best : undefined;
}

/** Compresses bytes. */
export const compressed = async (bytes: Buffer, coding: Coding): Promise<Buffer> =>
  bytes.length < minThreadBytes ? compressNow[coding](bytes) : compressInThread[coding](bytes);

/** A stream that compresses bytes. */
export const compressor = (coding: Coding): Transform =>
  coding === "gzip" ? createGzip(options.gzip) : createBrotliCompress(options.br);
