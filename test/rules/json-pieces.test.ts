import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../shared/kernel/json-pieces.ts";
import { Slices } from "../../shared/kernel/time-slice.ts";

const parsed = (text: string): Promise<unknown> => parseJson(Buffer.from(text), new Slices());

/** What `JSON.parse` answers, or that it refuses. */
function expected(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "refused";
  }
}
const found = (text: string) =>
  parsed(text).then(
    (value) => ({ value }),
    () => "refused",
  );

const wide = " ".repeat(70_000);
const long = JSON.stringify("x".repeat(70_000));
const many = Array.from({ length: 20_000 }, (_, i) => `${i}`).join(",");

describe("a body is parsed in pieces as JSON.parse does it (security 6)", () => {
  test.each([
    `[${many}]`,
    `{"a":[${many}],"b":{"c":[${many}]},"__proto__":[${many}],"a":1}`,
    `{${Array.from({ length: 9000 }, (_, i) => `"${i % 4000}":${i}`).join(",")},"__proto__":{"x":1}}`,
    `[${wide}]`,
    `{${wide}}`,
    `${wide}[1]${wide}`,
    `[[${many}],[${many}]]`,
    `[1,[${many}],2,${long},{"k":${long}}]`,
    `"${"[".repeat(70_000)}"`,
    `\ufeff[${many}]`.slice(1),
  ])("%.20s is read", async (text) => {
    const value = await parsed(text);
    expect(value).toEqual(JSON.parse(text));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  test.each([
    `[${many},]`,
    `[,${many}]`,
    `[,[${many}]]`,
    `[[${many}],]`,
    `[[${many}],,1]`,
    `[[${many}][${many}]]`,
    `[1 [${many}]]`,
    `[[${many}] 1]`,
    `[1[${many}]]`,
    `{[${many}]}`,
    `{"a" [${many}]}`,
    `{"a":1[${many}]}`,
    `{"a":[${many}],}`,
    `{"a":[${many}]]`,
    `[${many}}`,
    `[${many}`,
    `[${many}]]`,
    `[${many}] 1`,
    `1 [${many}]`,
    `[${wide},${wide}]`,
    `{${wide},${wide}}`,
    `[${long},${wide},${long}]`,
  ])("%.20s is refused", async (text) => {
    expect(expected(text)).toBe("refused");
    await expect(parsed(text)).rejects.toThrow();
  });

  test("random texts, with white space so wide that everything is a large container", async () => {
    const part = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"a"',
      '"b":',
      "1",
      "null",
      wide,
      '"\\""',
      "[1]",
      '{"c":2}',
    );
    const broken = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(""));
    const whole = fc
      .jsonValue({ maxDepth: 4 })
      .map((value) => JSON.stringify(value, null, 2).replace(/\n/g, `\n${wide}`));
    const text = fc.oneof(
      broken,
      whole,
      broken.map((inner) => `[${wide}${inner}]`),
      broken.map((inner) => `{${wide}${inner}}`),
    );
    await fc.assert(
      fc.asyncProperty(text, async (json) => {
        expect(await found(json)).toEqual(expected(json));
      }),
      { numRuns: 1500, seed: 20261123 },
    );
  });

  test("bytes that are no UTF-8 are refused in whatever piece they stand", async () => {
    const bytes = Buffer.from(`[${many},"xx"]`);
    bytes[bytes.length - 3] = 0xff;
    await expect(parseJson(bytes, new Slices())).rejects.toThrow();
  });

  test("more than 250,000 members are refused before they are parsed", async () => {
    await expect(parsed(`[${"1,".repeat(250_001)}1]`)).rejects.toThrow(RangeError);
    await expect(parsed(`[${"[],".repeat(130_000)}[]]`)).rejects.toThrow(RangeError);
    expect(await parsed(`[${"1,".repeat(200_000)}1]`)).toHaveLength(200_001);
  });
});
