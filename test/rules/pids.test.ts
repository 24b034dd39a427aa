import { describe, expect, test } from "vitest";
import { ownDoi, type Pids, readPids } from "../../shared/identifiers/pids.schema.ts";

const prefix = "10.5072";
const own: Pids = { doi: ownDoi(prefix, "4d0ns-ntd89") };
const external: Pids = { doi: { identifier: "10.1234/x", provider: "external" } };
const read = (input: unknown, current: Pids = {}, isRegistered = false) =>
  readPids(input, { current, prefix, isRegistered });
const ok = (value: Pids) => ({ value, problems: [] });
const sent = (identifier: unknown, provider = "external") => ({ doi: { identifier, provider } });

describe("PUT/POST draft with pids (records 5)", () => {
  test("external: stored, normalised", () => {
    for (const text of ["10.1234/x", "https://doi.org/10.1234/x", "doi:10.1234/x"]) {
      expect(read(sent(text))).toEqual(ok(external));
    }
  });

  test.each([
    ["nonsense", "Invalid DOI"],
    ["", "Missing DOI for required field."],
    ["10.5072/abc", "The prefix '10.5072' is managed by"],
    ["https://doi.org/10.5072/ABC", "The prefix '10.5072' is managed by"],
  ])("external %j: %s, stored as sent and refused again", (identifier, message) => {
    const { value, problems } = read(sent(identifier));
    expect(problems).toEqual([{ field: "pids.doi", messages: [expect.stringContaining(message)] }]);
    expect(value.doi?.provider).toBe("external");
    expect(readPids(value, { current: value, prefix, isRegistered: false })).toEqual({ value, problems });
  });

  test("absent: an external DOI is removed, a reserved own DOI is kept", () => {
    expect(read(undefined, external)).toEqual(ok({}));
    expect(read(undefined, own)).toEqual(ok(own));
  });

  test("{}: removes both kinds unless registered", () => {
    expect(read({}, external)).toEqual(ok({}));
    expect(read({}, own)).toEqual(ok({}));
    expect(read({}, own, true)).toEqual(ok(own));
  });

  test("own provider with another identifier: error, the reserved one stays", () => {
    const { value, problems } = read(sent("10.5072/other", "datacite"), own);
    expect(value).toEqual(own);
    expect(problems).toMatchObject([{ field: "pids.doi" }]);
    expect(read(own, own)).toEqual(ok(own));
  });

  test("a registered DOI of our own cannot change", () => {
    expect(read(external, own, true)).toMatchObject({ value: own, problems: [{ field: "pids.doi" }] });
    expect(read(external, own)).toEqual(ok(external));
  });

  test("unknown provider, unknown scheme, unknown key, wrong types", () => {
    expect(read(sent("10.1/x", "nobody"))).toMatchObject({ value: {}, problems: [{ field: "pids.doi" }] });
    expect(read({ ark: sent("x").doi })).toEqual({
      value: {},
      problems: [{ field: "pids.ark.key", messages: ["Invalid persistent identifier scheme."] }],
    });
    expect(read({ doi: { ...external.doi, colour: 1 } })).toEqual({
      value: external,
      problems: [{ field: "pids.doi.colour", messages: ["Unknown field."] }],
    });
    for (const input of [null, 5, [], { doi: null }, { doi: "x" }, { doi: {} }, sent(5), sent(null)]) {
      expect(read(input).problems).not.toEqual([]);
    }
  });
});
