import { describe, expect, test } from "vitest";
import { readImportedRow } from "../../shared/vocabularies/entry-import.schema.ts";

describe("identifiers of imported entries (records 8.3, hosts-and-sync 1)", () => {
  const person = (identifier: object) => ({ id: "haak", name: "Haak, Laurel", identifiers: [identifier] });

  test.each([
    [{ identifier: "https://orcid.org/0000-0001-5109-3700" }, { scheme: "orcid", identifier: "0000-0001-5109-3700" }],
    [{ identifier: "0000-0001-5109-3700" }, { scheme: "orcid", identifier: "0000-0001-5109-3700" }],
    [
      { scheme: "orcid", identifier: "https://orcid.org/0000-0001-5109-3700" },
      { scheme: "orcid", identifier: "0000-0001-5109-3700" },
    ],
    [{ identifier: "https://ror.org/01ggx4157" }, { scheme: "ror", identifier: "01ggx4157" }],
    [
      { scheme: "orcid", identifier: "unknown" },
      { scheme: "orcid", identifier: "unknown" },
    ],
    [
      { scheme: "fundref", identifier: "501100000780" },
      { scheme: "fundref", identifier: "501100000780" },
    ],
  ])("%j is kept as %j", (sent, kept) => {
    expect(readImportedRow("names", person(sent))).toMatchObject({ entry: { id: "haak", identifiers: [kept] } });
  });

  test("a row with an identifier of no known scheme is refused", () => {
    const refusal = "identifiers.0.scheme: No valid scheme recognized for identifier.";
    expect(readImportedRow("names", person({ identifier: "?" }))).toEqual({ refusal });
  });
});
