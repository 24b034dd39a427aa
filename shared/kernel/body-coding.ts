import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

/** The coding of long request bodies between a replica and its server (`Content-Encoding`). */
export const bodyCoding = "br";

/**
 * A body may be so many times as long as its compressed form. A longer one is sent as it is, so that a few bytes never
 * take much memory of a server.
 */
export const mostExpansion = 16;

const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };

/** @returns the compressed bytes; undefined if they expand too much, or compressing saves nothing. */
export async function encodeBody(bytes: Buffer): Promise<Buffer | undefined> {
  const encoded = await promisify(brotliCompress)(bytes, { params });
  const isAllowed = encoded.length < bytes.length && encoded.length * mostExpansion >= bytes.length;
  return isAllowed ? encoded : undefined;
}

/** @throws RangeError with the code `ERR_BUFFER_TOO_LARGE` over the limit; another error for damaged bytes. */
export const decodeBody = (bytes: Buffer, mostBytes: number): Promise<Buffer> =>
  promisify(brotliDecompress)(bytes, { maxOutputLength: Math.min(mostBytes, bytes.length * mostExpansion) });
