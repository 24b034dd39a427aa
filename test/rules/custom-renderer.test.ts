import { describe, expect, test } from "vitest";
import type { RecordBody } from "../../renderer/api-client/record-types.ts";
import { withLeaf } from "../../renderer/format/custom-fields.ts";
import { compareFields } from "../../renderer/pages/compare/compare-records.ts";
import {
  type DraftContent,
  filledSections,
  isDisputed,
  mergeIncoming,
  sectionOf,
  takeMerged,
} from "../../renderer/pages/draft/draft-content.ts";
import { groupsOf, leafPath, leafValue } from "../../shared/metadata/custom-field-groups.ts";
import { declaredCustomFields } from "../../shared/metadata/custom-field-sets.schema.ts";
import { customFieldDeclaration } from "../../shared/metadata/custom-fields.schema.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";

const contentOf = (custom_fields: Record<string, unknown>): DraftContent => ({
  metadata: { title: "Currents" },
  custom_fields,
  pids: {},
  access: { record: "public", files: "public", embargo: { active: false, reason: null } },
  files: { enabled: true, default_preview: null, order: [] },
});
const withJournal = (journal: Record<string, string>) => contentOf({ "journal:journal": journal });
const status = { id: "active", title: { en: "Active" } };

describe("custom fields of an open draft (app H8)", () => {
  test("what a colleague wrote in one member stands beside what the user types in another", () => {
    const known = withJournal({ title: "Sea", volume: "1" });
    const mine = withJournal({ title: "Sea", volume: "12" });
    const incoming = withJournal({ title: "Deep Sea", volume: "1" });
    const merged = mergeIncoming(mine, known, known, incoming);
    expect(merged.custom_fields).toEqual({ "journal:journal": { title: "Deep Sea", volume: "12" } });
    expect(isDisputed(mine, known, known, incoming)).toBe(false);
    expect(isDisputed(mine, known, known, withJournal({ title: "Sea", volume: "2" }))).toBe(true);
  });

  test("the answer to a merged save brings the members of others, and leaves what was typed since", () => {
    const sent = withJournal({ title: "Sea", volume: "1" });
    const mine = withJournal({ title: "Sea", volume: "12" });
    const custom_fields = { "journal:journal": { title: "Sea", volume: "1", issn: "0967-0637" } };
    const body = { metadata: {}, custom_fields, merged: ["custom_fields.journal:journal.issn"] };
    expect(takeMerged(mine, sent, body).custom_fields).toEqual({
      "journal:journal": { title: "Sea", volume: "12", issn: "0967-0637" },
    });
    expect(takeMerged(mine, sent, { ...body, merged: [] })).toBe(mine);
  });

  test("an emptied member goes, and with the last one its field", () => {
    const leaf = { name: "journal:journal", member: "title" };
    const fields = withLeaf({ "code:developmentStatus": status }, leaf, "Sea");
    expect(leafValue(fields, leaf)).toBe("Sea");
    expect(withLeaf(fields, leaf, "")).toEqual({ "code:developmentStatus": status });
  });

  test("sections are drawn from the declarations, the operator's too, under their heading or namespace", () => {
    const own = [
      { name: "lab:depth", type: "integer", section: "Drilling" },
      { name: "journal:rank", type: "text" },
    ].map((one) => customFieldDeclaration.parse(one));
    const groups = groupsOf([...declaredCustomFields(settingsSchema.parse({})), ...own]);
    expect(groups.map(({ id }) => id)).toEqual(["journal", "imprint", "meeting", "thesis", "code", "Drilling"]);
    expect(groups[0]?.leaves.map(leafPath)).toEqual([
      "journal:journal.title",
      "journal:journal.volume",
      "journal:journal.issue",
      "journal:journal.pages",
      "journal:journal.issn",
      "journal:rank",
    ]);
    expect(sectionOf("custom_fields.lab:depth")).toBe("custom");
  });

  test("a section has a tick only where it has content (app M19)", () => {
    const draft = contentOf({});
    expect(filledSections(draft, false)).toEqual(["basics", "access"]);
    expect(filledSections({ ...draft, metadata: { subjects: [], funding: [{}] } }, true)).toEqual([
      "related",
      "files",
      "access",
    ]);
    expect(filledSections(withJournal({ title: "Sea" }), false)).toContain("custom");
  });

  test("two versions are compared member by member", () => {
    const body = (custom_fields: Record<string, unknown>) => contentOf(custom_fields) as unknown as RecordBody;
    const before = body({ "journal:journal": { title: "Sea", volume: "1" } });
    const after = body({ "journal:journal": { title: "Sea", volume: "2" }, "code:developmentStatus": status });
    const changes = compareFields(before, after).filter(({ field }) => field.startsWith("custom_fields."));
    expect(changes).toEqual([
      { field: "custom_fields.code:developmentStatus", kind: "added", before: "", after: "Active" },
      { field: "custom_fields.journal:journal.title", kind: "same", before: "Sea", after: "Sea" },
      { field: "custom_fields.journal:journal.volume", kind: "changed", before: "1", after: "2" },
    ]);
  });
});
