import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../../renderer/address.ts";
import type { Metadata } from "../../renderer/api-client/record-types.ts";
import { moveInTree, type TreeKeyRow } from "../../renderer/components/tree-keys.ts";
import { personName, titleText } from "../../renderer/format/names.ts";
import { normaliseOrcid } from "../../renderer/pages/draft/creators/orcid.ts";
import {
  allProblems,
  changesOf,
  type DraftContent,
  isDisputed,
  mergeIncoming,
  mergeValue,
  sectionOf,
  takeMerged,
} from "../../renderer/pages/draft/draft-content.ts";
import { UndoHistory } from "../../renderer/pages/draft/undo-history.ts";
import { correctedQuery } from "../../renderer/pages/library/corrected-query.ts";
import {
  committed,
  isUncommitted,
  type TypedText,
  typedTextOf,
  withAddress,
} from "../../renderer/pages/library/typed-text.ts";

const contentOf = (metadata: Metadata): DraftContent => ({
  metadata,
  custom_fields: {},
  pids: {},
  access: { record: "public", files: "public", embargo: { active: false, reason: null } },
  files: { enabled: true, default_preview: null, order: [] },
});

describe("addresses of the app", () => {
  test("a search survives being written to the address and read again, whatever its values", () => {
    const value = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("q", "language", "subject", "x y"), fc.array(value, { minLength: 1 })),
        (search) => {
          const back = parseSearch(stringifySearch(search).slice(1));
          for (const [name, values] of Object.entries(search)) expect([back[name]].flat()).toEqual(values);
        },
      ),
    );
  });
});

describe("a search box and the address", () => {
  const typing = (now: TypedText, text: string) => ({ ...now, text });

  test("a late change of the address keeps newer typed text; a link replaces it", () => {
    let box = committed(typing(typedTextOf(""), "k"));
    box = committed(typing(box, "kelp"));
    box = withAddress(typing(box, "kelp forests"), "k");
    expect([box.text, isUncommitted(box)]).toEqual(["kelp forests", true]);
    box = withAddress(box, "kelp");
    expect([box.text, isUncommitted(box)]).toEqual(["kelp forests", true]);
    box = withAddress(box, "storm");
    expect([box.text, isUncommitted(box)]).toEqual(["storm", false]);
  });

  test("box and address end with the last typed text, in any order of typing, commits and address changes", () => {
    const step = fc.oneof(
      fc.record({ type: fc.string({ maxLength: 2 }) }),
      fc.constantFrom("commit" as const, "arrive" as const),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let [box, address] = [typedTextOf(""), ""];
        const commit = () => {
          if (isUncommitted(box)) address = box.text;
          box = committed(box);
        };
        const arrive = () => {
          if (box.value !== address) box = withAddress(box, address);
        };
        for (const one of steps) {
          if (one === "commit") commit();
          else if (one === "arrive") arrive();
          else box = typing(box, one.type);
        }
        const last = box.text;
        commit();
        arrive();
        expect([box.text, box.value, address, isUncommitted(box)]).toEqual([last, last, last, false]);
      }),
    );
  });
});

describe("ORCID (records 8.3)", () => {
  test("the check digit decides; the address form is shortened", () => {
    expect(normaliseOrcid("https://orcid.org/0000-0002-1825-0097")).toBe("0000-0002-1825-0097");
    expect(normaliseOrcid("000000021694233X")).toBe("0000-0002-1694-233X");
    expect(normaliseOrcid("0000-0002-1825-0098")).toBeUndefined();
    expect(normaliseOrcid("1825-0097")).toBeUndefined();
  });
});

describe("what a draft may hold half (records 3.3)", () => {
  test("a creator of whom nothing is known has an empty name", () => {
    expect(personName(undefined)).toBe("");
    expect(personName({ type: "personal", family_name: "Okonkwo" })).toBe("Okonkwo");
  });
  test("the title of an award is a text, or one by language", () => {
    expect(titleText("Ice", "")).toBe("Ice");
    expect(titleText({ en: "Ice" }, "")).toBe("Ice");
    expect(titleText(undefined, "none")).toBe("none");
  });
});

describe("changes that arrive while a draft is open (hosts-and-sync 4)", () => {
  const known = contentOf({ title: "Core 12", version: "1" });

  test("a field changed elsewhere is shown, a field being typed is not touched", () => {
    const mine = contentOf({ title: "Core 12 of the", version: "1" });
    const merged = mergeIncoming(
      mine,
      known,
      known,
      contentOf({ title: "Core twelve", version: "2", publisher: "CNR" }),
    );
    expect(merged.metadata).toEqual({ title: "Core twelve of the", version: "2", publisher: "CNR" });
  });
  test.each<[known: unknown, mine: unknown, incoming: unknown, merged: unknown]>([
    ["One. Two.", "One! Two.", "One. Two, three.", "One! Two, three."],
    ["One", "One", "One two", "One two"],
    ["Red", "Blue", "Green", "Blue"],
    [["a"], ["a", "b"], ["a", "c"], ["a", "b", "c"]],
    [["a", "b"], ["a", "b", "c"], ["b"], ["b", "c"]],
    // The order of creators counts: who was put first there is first here.
    [
      ["a", "b"],
      ["A", "b"],
      ["new", "a", "b"],
      ["new", "A", "b"],
    ],
    [
      ["a", "b", "c"],
      ["a", "B", "c"],
      ["new", "a", "b", "newer", "c"],
      ["new", "a", "B", "newer", "c"],
    ],
    [
      ["a", "b"],
      ["b", "a"],
      ["a", "b"],
      ["b", "a"],
    ],
    [undefined, ["a"], ["b"], ["a", "b"]],
    [{ id: "x" }, { id: "y" }, { id: "z" }, { id: "y" }],
  ])("%j, changed here to %j and there to %j, becomes %j", (known, mine, incoming, merged) => {
    expect(mergeValue("title", known, mine, incoming)).toEqual(merged);
  });
  test("of one value both changed, the person's own stays in the field whole", () => {
    expect(mergeValue("publisher", "Press", "Press A", "Press B")).toBe("Press A");
  });
  test("a step that would be undone takes in what others changed meanwhile, so that undo leaves it (app H6)", () => {
    const before = contentOf({ title: "Core", publisher: "CNR", rights: [{ id: "cc0" }] });
    const now = contentOf({ title: "Core 12", publisher: "CNR", rights: [{ id: "cc0" }] });
    const incoming = contentOf({ title: "Core 12 of 2003", publisher: "CERN", rights: [{ id: "cc0" }, { id: "mit" }] });
    const changed = changesOf(now, incoming);
    expect(changed.known.metadata).toEqual(now.metadata);
    const history = new UndoHistory();
    history.add({ content: before });
    history.rebase((past) => mergeIncoming(past, changed.known, changed.known, changed.incoming));
    expect(history.next("undo")).toEqual({
      content: contentOf({ title: "Core of 2003", publisher: "CERN", rights: [{ id: "cc0" }, { id: "mit" }] }),
    });
  });
  test("a merged save: fields of others say what stands, with what was typed in them since", () => {
    const sent = contentOf({ title: "Core 12", publisher: "Mine", version: "1", rights: [{ id: "cc0" }] });
    const mine = contentOf({ title: "Core 12, more", publisher: "Mine", version: "2", rights: [{ id: "cc0" }] });
    const metadata = { title: "The core 12", publisher: "Theirs", version: "1" };
    const merged = ["metadata.title", "metadata.publisher", "metadata.rights"];
    expect(takeMerged(mine, sent, { metadata, merged }).metadata).toEqual({
      title: "The core 12, more",
      publisher: "Theirs",
      version: "2",
    });
    expect(takeMerged(mine, sent, { metadata })).toBe(mine);
  });
  test.each([
    ["one value", { version: "2" }, { version: "3" }, true],
    ["the same value", { version: "2" }, { version: "2" }, false],
    ["different fields", { version: "2" }, { publisher: "There" }, false],
    ["a text", { title: "Core 12, mine" }, { title: "The core 12" }, false],
    ["a list", { rights: [{ id: "a" }] }, { rights: [{ id: "b" }] }, false],
  ])("what two have changed before either saw the other's: %s", (_what, mine, there, isHeld) => {
    const before = { title: "Core 12", version: "1" };
    const changed = [mine, {}, {}, there].map((change) => contentOf({ ...before, ...change }));
    const [own = known, saved = known, seen = known, incoming = known] = changed;
    expect(isDisputed(own, saved, seen, incoming)).toBe(isHeld);
  });
  test("a merged save takes no space away that is being typed at the end of a text", () => {
    const sent = contentOf({ title: "Core 12 " });
    const saved = (title: string) => takeMerged(sent, sent, { metadata: { title }, merged: ["metadata.title"] });
    expect(saved("Core 12")).toBe(sent);
    expect(saved("The core 12").metadata.title).toBe("The core 12 ");
  });
  test("a field removed elsewhere goes, unless it is being typed", () => {
    expect(mergeIncoming(known, known, known, contentOf({ title: "Core 12" })).metadata).toEqual({ title: "Core 12" });
    const mine = contentOf({ title: "Core 12", version: "1.1" });
    expect(mergeIncoming(mine, known, known, contentOf({ title: "Core 12" })).metadata.version).toBe("1.1");
  });
  test("merging an unchanged answer returns the same metadata object", () => {
    expect(mergeIncoming(known, known, known, contentOf({ title: "Core 12", version: "1" })).metadata).toBe(
      known.metadata,
    );
  });
});

describe("what is missing before publishing (records 3.3)", () => {
  test("required fields as they are now, other problems as the last save told", () => {
    const reported = [
      { field: "metadata.title", messages: ["Missing data for required field."] },
      { field: "metadata.version", messages: ["Longer than maximum length 191."] },
    ];
    const content = contentOf({ title: "Core 12", resource_type: { id: "dataset" } });
    expect(allProblems(content, reported).map(({ field }) => field)).toEqual([
      "metadata.publication_date",
      "metadata.creators",
      "metadata.version",
    ]);
  });
  test("each problem belongs to a section of the form", () => {
    expect(sectionOf("metadata.creators.1.person_or_org.name")).toBe("people");
    expect(sectionOf("files.enabled")).toBe("files");
    expect(sectionOf("access.embargo.until")).toBe("access");
    expect(sectionOf("metadata.rights.0.link")).toBe("about");
  });
});

describe("keys in a tree (ARIA tree pattern)", () => {
  const rows: TreeKeyRow[] = [
    { name: "data", level: 1, isFolder: true, isOpen: true },
    { name: "1998", level: 2, isFolder: true, isOpen: false },
    { name: "readme.md", level: 2, isFolder: false, isOpen: false },
    { name: "notes", level: 1, isFolder: false, isOpen: false },
  ];
  test("right opens or enters, left closes or goes up", () => {
    expect(moveInTree(rows, 1, "ArrowRight")).toEqual({ index: 1, does: "toggle" });
    expect(moveInTree(rows, 0, "ArrowRight")).toEqual({ index: 1, does: "go" });
    expect(moveInTree(rows, 0, "ArrowLeft")).toEqual({ index: 0, does: "toggle" });
    expect(moveInTree(rows, 2, "ArrowLeft")).toEqual({ index: 0, does: "go" });
  });
  test("letters go to the next row that begins so, around the end", () => {
    expect(moveInTree(rows, 2, "n")).toEqual({ index: 3, does: "go" });
    expect(moveInTree(rows, 3, "r")).toEqual({ index: 2, does: "go" });
    expect(moveInTree(rows, 3, "z")).toBeUndefined();
  });
  test("no key leaves the tree", () => {
    const key = fc.constantFrom(
      "ArrowUp",
      "ArrowDown",
      "ArrowLeft",
      "ArrowRight",
      "Home",
      "End",
      "PageUp",
      "PageDown",
      "Enter",
      "d",
    );
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        let at = 0;
        for (const one of keys) at = moveInTree(rows, at, one)?.index ?? at;
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThan(rows.length);
      }),
    );
  });
});

describe("a search with a value that fits (search 5.5)", () => {
  const year = "metadata.year";
  test.each([
    [`${year}:abc`, `${year}:2024`],
    [`(sea OR ${year}:abc) AND kelp`, `(sea OR ${year}:2024) AND kelp`],
    [`sea ${year}: >= abc kelp`, `sea ${year}:2024 kelp`],
    [`${year}:(a OR (b c)) kelp`, `${year}:2024 kelp`],
    [`${year}:[a TO b} kelp`, `${year}:2024 kelp`],
    [`${year}:"a b)" kelp`, `${year}:2024 kelp`],
    [`(${year}:a\\)b) kelp`, `(${year}:2024) kelp`],
    [`"${year}:abc" ${year}:abc`, `"${year}:abc" ${year}:2024`],
    [`other.${year}:abc ${year}:abc`, `other.${year}:abc ${year}:2024`],
    ["kelp", `${year}:2024`],
  ])("%s", (q, corrected) => expect(correctedQuery(q, year, "2024")).toBe(corrected));
});
