import { queryOptions } from "@tanstack/react-query";
import i18next from "i18next";
import { decodeText, type MarkedEncoding, markedEncoding } from "../../shared/previews/text.ts";
import { endOfRows } from "../format/end-of-rows.ts";
import { ApiFailure, reachBytes } from "./request.ts";

export interface Beginning {
  text: string;
  /** Whether the text is complete. */
  isWhole: boolean;
  /** Whether the bytes are not text. */
  isBinary: boolean;
}

/** Reads `limit` bytes after the first `skip`, and no more. */
async function readPart(response: Response, skip: number, limit: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(limit);
  let length = 0;
  let left = skip;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(left, left + limit - length);
    left = Math.max(0, left - value.length);
    bytes.set(part, length);
    length += part.length;
    if (length === limit) {
      await reader.cancel();
      break;
    }
  }
  return bytes.subarray(0, length);
}

/** @throws ApiFailure if the bytes end too early, as those of a damaged member of an archive do. */
async function whole<T>(waiting: Promise<T>): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiFailure(0, i18next.t("preview.cut"));
  }
}

async function fetchPart(url: string, size: number, from: number, limit: number, signal: AbortSignal) {
  const headers: Record<string, string> = size > limit ? { Range: `bytes=${from}-${from + limit - 1}` } : {};
  const response = await whole(fetch(url, { headers, signal }));
  if (!response.ok) {
    const body = (await response.json().catch(() => ({}))) as { message?: string };
    throw new ApiFailure(response.status, body.message ?? response.statusText);
  }
  // Members of archives come from their first byte on.
  return whole(readPart(response, response.status === 206 ? 0 : from, limit));
}

export interface Rows {
  text: string;
  /** Where the rows end in the file. */
  end: number;
  encoding: MarkedEncoding;
  isBinary: boolean;
}

/** Whether decoded text comes from bytes that are no text. */
const isBinaryText = (text: string): boolean => text.slice(0, 8192).includes("\0");

/**
 * Whole rows of a table, at most `limit` bytes from the byte `from` on.
 * @param encoding of the file, which only its beginning tells.
 */
export const rowsQuery = (url: string, size: number, from: number, limit: number, encoding?: MarkedEncoding) =>
  queryOptions({
    queryKey: ["preview", url, size, "rows", from, limit],
    queryFn: async ({ signal }): Promise<Rows> => {
      const bytes = await fetchPart(url, size, from, limit, signal);
      const isLast = from + bytes.length >= size;
      const usedEncoding = encoding ?? markedEncoding(bytes);
      const length = isLast ? bytes.length : endOfRows(bytes, usedEncoding);
      const text = decodeText(bytes.subarray(0, length), TextDecoder, usedEncoding);
      const end = isLast ? size : from + length;
      return { text, end, encoding: usedEncoding, isBinary: isBinaryText(text) };
    },
    retry: false,
  });

/** The beginning of a file as text. Fetches no more than `limit`, even if the host ignores ranges. */
export const beginningQuery = (url: string, size: number, limit: number) =>
  queryOptions({
    queryKey: ["preview", url, size, limit],
    queryFn: async ({ signal }): Promise<Beginning> => {
      const bytes = await fetchPart(url, size, 0, limit, signal);
      const text = decodeText(bytes, TextDecoder);
      return { text, isWhole: size <= limit, isBinary: isBinaryText(text) };
    },
    retry: false,
  });

/** Whether a URL can be loaded. For content that the browser loads itself, without error messages. */
export const withinReachQuery = (url: string) =>
  queryOptions({
    queryKey: ["preview", url, "reach"],
    queryFn: async () => {
      await reachBytes(url);
      return true;
    },
    retry: false,
    gcTime: 0,
  });
