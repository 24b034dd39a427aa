import { Failure } from "./failure.ts";

/** Bytes `start` up to, and not including, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

const unit = /^bytes=/i;
const singleRange = /^(\d*)-(\d*)$/;

/** The bytes of one range; an empty range when it lies outside the file. @throws Failure 416 when malformed. */
function readOne(spec: string, sizeBytes: number): ByteRange {
  const [, first = "", last = ""] = singleRange.exec(spec) ?? [];
  const isMalformed = (first === "" && last === "") || (first !== "" && last !== "" && Number(last) < Number(first));
  if (isMalformed) throw unsatisfiable(sizeBytes);
  if (first === "") return { start: sizeBytes - Math.min(Number(last), sizeBytes), end: sizeBytes };
  const end = last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  return { start: Math.min(Number(first), end), end };
}

function unsatisfiable(sizeBytes: number): Failure {
  return new Failure("range", "The requested range cannot be served.", {
    headers: { "Content-Range": `bytes */${sizeBytes}` },
  });
}

/**
 * The bytes that a `Range` header requests. Undefined for the whole file: no header, several ranges of which one can be
 * served, or an `If-Range` with another ETag.
 * @throws Failure `range`, 416, when malformed or out of bounds (records 6.7).
 */
export function requestedRange(
  headers: { range?: string | undefined; ifRange?: string | undefined },
  content: { sizeBytes: number; etag: string },
): ByteRange | undefined {
  const { range, ifRange } = headers;
  if (range === undefined || (ifRange !== undefined && ifRange !== content.etag)) return undefined;
  if (!unit.test(range)) throw unsatisfiable(content.sizeBytes);
  const specs = range.replace(unit, "").split(",");
  const parts = specs.map((spec) => readOne(spec.trim(), content.sizeBytes));
  if (parts.every(({ start, end }) => start === end)) throw unsatisfiable(content.sizeBytes);
  return parts.length === 1 ? parts[0] : undefined;
}

/** The `Content-Range` of a 206: `bytes a-b/size`. */
export const contentRange = (range: ByteRange, sizeBytes: number): string =>
  `bytes ${range.start}-${range.end - 1}/${sizeBytes}`;
