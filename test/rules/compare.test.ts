import fc from "fast-check";
import i18next from "i18next";
import { describe, expect, test } from "vitest";
import type { FileEntry, RecordBody } from "../../renderer/api-client/record-types.ts";
import type { TrayEntry } from "../../renderer/api-client/sync-types.ts";
import { wordChanges } from "../../renderer/format/word-changes.ts";
import { compareFields, compareFiles, wordsOf } from "../../renderer/pages/compare/compare-records.ts";
import { sidesOf } from "../../renderer/pages/sync/refused-draft.ts";

const bodyOf = (metadata: RecordBody["metadata"], files: "public" | "restricted" = "public"): RecordBody =>
  ({
    metadata,
    custom_fields: {},
    pids: {},
    access: { record: "public", files, embargo: { active: false, reason: null } },
  }) as unknown as RecordBody;
const file = (key: string, checksum: string): FileEntry => ({ key, checksum, size: 1 }) as FileEntry;

describe("two versions side by side (ux 5, compare)", () => {
  test("the changes of a text, taken away or kept, make the old and the new one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (before, after) => {
        const parts = wordChanges(before, after);
        const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join("");
        expect(without("added")).toBe(before);
        expect(without("removed")).toBe(after);
      }),
    );
  });

  test("a refused change is compared where its fields differ from the server's, not for a file of an equal draft", () => {
    const refused = (title: string): TrayEntry =>
      ({ operation: { title: "Upload", content: bodyOf({ title }) }, server: bodyOf({ title: "Core" }) }) as never;
    expect(sidesOf(refused("Core"))).toBeUndefined();
    expect(sidesOf(refused("Core 2"))).toMatchObject({
      mine: { metadata: { title: "Core 2" } },
      theirs: { metadata: { title: "Core" } },
    });
  });

  test("fields added, changed, removed and the same, those looked at first in front", () => {
    const before = bodyOf({ title: "Core 12", version: "1", publisher: "CNR" });
    const after = bodyOf({ title: "Core 12b", publisher: "CNR", subjects: [{ subject: "sea" }] }, "restricted");
    const changes = compareFields(before, after).map(({ field, kind }) => [field, kind]);
    expect(changes).toEqual([
      ["title", "changed"],
      ["access.files", "changed"],
      ["access.record", "same"],
      ["publisher", "same"],
      ["subjects", "added"],
      ["version", "removed"],
    ]);
  });

  test("the order of keys and what is empty are no change; a description is compared as its words stand", () => {
    const one = { person_or_org: { name: "Okonkwo" }, affiliations: [] };
    const before = bodyOf({
      creators: [one as never],
      description: "<p>Sea <b>ice</b>.</p><ul><li>one</li><li>two</li></ul>",
    });
    const after = bodyOf({
      creators: [{ role: undefined, person_or_org: { name: "Okonkwo" } } as never],
      description: "",
    });
    expect(compareFields(before, after).filter(({ kind }) => kind !== "same")).toEqual([
      { field: "description", kind: "changed", before: "Sea ice.\n• one\n• two", after: "" },
    ]);
  });

  test.each<[value: unknown, words: string]>([
    [[{ subject: "sea" }, { id: "x", title: { en: "Ice" } }], "sea\nIce"],
    [{ id: "dataset", title: { en: "Dataset", de: "Datensatz" } }, "Dataset"],
    [
      [{ person_or_org: { name: "Okonkwo, Adaeze" }, role: { id: "editor" }, affiliations: [{ name: "CNR" }] }],
      "Okonkwo, Adaeze · editor · CNR",
    ],
    [{ identifier: "10.1/x", scheme: "doi", relation_type: { id: "cites" } }, "10.1/x · cites · doi"],
    [true, "true"],
    [null, ""],
    [{ odd: 1 }, '{"odd":1}'],
  ])("%j reads %j", (value, words) => {
    expect(wordsOf(value)).toBe(words);
  });

  test("a new name with the bytes of a removed file is a renaming, for one of several equal files", () => {
    const before = [file("a.csv", "md5:1"), file("b.csv", "md5:2"), file("c.csv", "md5:3"), file("d.csv", "md5:3")];
    const after = [file("a.csv", "md5:1"), file("b.csv", "md5:9"), file("e.csv", "md5:3"), file("f.csv", "md5:7")];
    expect(compareFiles(before, after).map(({ kind, key, formerKey }) => [kind, key, formerKey])).toEqual([
      ["same", "a.csv", undefined],
      ["changed", "b.csv", undefined],
      ["renamed", "e.csv", "c.csv"],
      ["added", "f.csv", undefined],
      ["removed", "d.csv", undefined],
    ]);
  });
});

test("titles of kinds, roles and relations are in the user's language (app, words)", async () => {
  await i18next.init({ lng: "de", resources: { de: { translation: { one: "eins" } } } });
  const type = { id: "collected", title: { en: "Collected", de: "Gesammelt" } };
  expect(wordsOf([{ date: "2020/2021", type }])).toBe("2020/2021 · Gesammelt");
  await i18next.changeLanguage("en");
  expect(wordsOf([{ date: "2020/2021", type }])).toBe("2020/2021 · Collected");
});
