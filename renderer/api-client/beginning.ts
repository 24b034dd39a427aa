import { queryOptions } from "@tanstack/react-query";
import { decodeText } from "../format/decode-text.ts";
import { ApiFailure, reachBytes } from "./request.ts";

export interface Beginning {
  text: string;
  /** Whether the text is complete. */
  isWhole: boolean;
  /** Whether the bytes are not text. */
  isBinary: boolean;
}

async function readFirst(response: Response, limit: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(limit);
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, limit - length);
    bytes.set(part, length);
    length += part.length;
    if (length === limit) {
      await reader.cancel();
      break;
    }
  }
  return bytes.subarray(0, length);
}

/** The beginning of a file as text. Fetches no more than `limit`, even if the host ignores ranges. */
export const beginningQuery = (url: string, size: number, limit: number) =>
  queryOptions({
    queryKey: ["preview", url, size, limit],
    queryFn: async ({ signal }): Promise<Beginning> => {
      const headers: Record<string, string> = size > limit ? { Range: `bytes=0-${limit - 1}` } : {};
      const response = await fetch(url, { headers, signal });
      if (!response.ok) {
        const body = (await response.json().catch(() => ({}))) as { message?: string };
        throw new ApiFailure(response.status, body.message ?? response.statusText);
      }
      const bytes = await readFirst(response, limit);
      return { text: decodeText(bytes), isWhole: size <= limit, isBinary: bytes.subarray(0, 8192).includes(0) };
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
