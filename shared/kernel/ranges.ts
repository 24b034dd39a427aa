import { Failure } from "./failure.ts";

/** Bytes `start` up to, and not including, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

const singleRange = /^(\d*)-(\d*)$/;

function unsatisfiable(sizeBytes: number): Failure {
  return new Failure("range", "The requested range cannot be served.", {
    headers: { "Content-Range": `bytes */${sizeBytes}` },
  });
}

function readOne(spec: string, sizeBytes: number): ByteRange {
  const [, first = "", last = ""] = singleRange.exec(spec.trim()) ?? [];
  if (first === "" && last === "") throw unsatisfiable(sizeBytes);
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    if (length === 0) throw unsatisfiable(sizeBytes);
    return { start: sizeBytes - length, end: sizeBytes };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (start >= end) throw unsatisfiable(sizeBytes);
  return { start, end };
}

/**
 * The bytes a `Range` header asks for, or undefined for the whole (no header, several ranges, or an `If-Range` that
 * does not name the present `etag`). Out of bounds or malformed: Failure `range`, 416 (records 6.7).
 */
export function requestedRange(
  headers: { range?: string | undefined; ifRange?: string | undefined },
  content: { sizeBytes: number; etag: string },
): ByteRange | undefined {
  if (headers.range === undefined) return undefined;
  if (headers.ifRange !== undefined && headers.ifRange !== content.etag) return undefined;
  const { range } = headers;
  if (!range.startsWith("bytes=")) throw unsatisfiable(content.sizeBytes);
  const specs = range.slice("bytes=".length).split(",");
  const ranges = specs.map((spec) => readOne(spec, content.sizeBytes));
  return ranges.length === 1 ? ranges[0] : undefined;
}

/** `bytes a-b/size` of a 206. */
export const contentRange = (range: ByteRange, sizeBytes: number): string =>
  `bytes ${range.start}-${range.end - 1}/${sizeBytes}`;
