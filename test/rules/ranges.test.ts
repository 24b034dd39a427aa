import { describe, expect, test } from "vitest";
import { contentRange, requestedRange } from "../../shared/kernel/ranges.ts";

const content = { sizeBytes: 100, etag: '"md5:abc"' };
const ask = (range: string, ifRange?: string) => requestedRange({ range, ifRange }, content);

describe("Range (records 6.7)", () => {
  test.each([
    ["bytes=0-9", { start: 0, end: 10 }],
    ["bytes=90-", { start: 90, end: 100 }],
    ["bytes=-10", { start: 90, end: 100 }],
    ["bytes=-1000", { start: 0, end: 100 }],
    ["bytes=99-1000", { start: 99, end: 100 }],
    ["bytes=0-0", { start: 0, end: 1 }],
    ["Bytes=0-0", { start: 0, end: 1 }],
  ])("%s is answered 206", (range, expected) => {
    expect(ask(range)).toEqual(expected);
  });

  test.each([
    "bytes=100-",
    "bytes=5-4",
    "bytes=-0",
    "bytes=-",
    "bytes=a-b",
    "bytes=",
    "bytes",
    "lines=0-1",
    "bytes=1-2-3",
    "bytes=100-,200-300,-0",
    "bytes=0-1,x",
    "bytes=0-1,5-4",
  ])("%s is answered 416 with the size", (range) => {
    expect(() => ask(range)).toThrowError(
      expect.objectContaining({ kind: "range", headers: { "Content-Range": "bytes */100" } }),
    );
  });

  test.each(["bytes=0-1,5-6", "bytes=0-1, 100-200", "bytes=100-200,0-1"])(
    "several ranges, one at least within the file, are answered whole: %s",
    (range) => {
      expect(ask(range)).toBeUndefined();
    },
  );

  test("an If-Range that names other content asks for the whole", () => {
    expect(ask("bytes=0-1", '"md5:other"')).toBeUndefined();
    expect(ask("bytes=0-1", content.etag)).toEqual({ start: 0, end: 2 });
  });

  test("any range of an empty file is out of bounds", () => {
    expect(() => requestedRange({ range: "bytes=0-" }, { sizeBytes: 0, etag: "" })).toThrowError();
    expect(() => requestedRange({ range: "bytes=-5" }, { sizeBytes: 0, etag: "" })).toThrowError();
  });

  test("Content-Range names the last byte", () => {
    expect(contentRange({ start: 0, end: 10 }, 100)).toBe("bytes 0-9/100");
  });
});
