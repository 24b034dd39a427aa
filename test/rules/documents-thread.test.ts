import { describe, expect, test } from "vitest";
import { inDocuments } from "../../shared/documents/document-thread.ts";
import { documentWork } from "../../shared/documents/document-work.ts";
import { canonical, type DraftInput } from "../../shared/documents/draft-input.ts";

const draftOf = (count: number, name: string): DraftInput =>
  canonical({
    metadata: {
      title: `About ${name}`,
      description: `<p>${"A text that goes on. ".repeat(count)}</p>`,
      subjects: Array.from({ length: count }, (_, i) => ({ subject: `${name} ${i}` })),
    },
  });
const { genesis, ownEdit, takeUpdate } = documentWork;
/** To compare large values at once. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_key, one) => (one instanceof Uint8Array ? Buffer.from(one).toString("base64") : one));

describe.each([
  ["small, here", 3],
  ["large, in a thread of its own", 2500],
])("what is done with documents (architecture, rule 10): %s", (_where, count) => {
  const [before, after] = [draftOf(count, "snow"), draftOf(count, "ice")];
  const state = genesis(before);
  const edited = ownEdit(state, after, 10);
  const update = edited.update ?? new Uint8Array();
  const merging = { changes: edited.changes, isTold: true, clientId: 12, basis: { before: [] } };

  test("is the same wherever it is done", async () => {
    expect(written([await inDocuments("genesis", before)])).toBe(written([state]));
    expect(written(await inDocuments("inputOf", state))).toBe(written(before));
    expect(written(await inDocuments("ownEdit", state, after, 10))).toBe(written(edited));
    const taken = await inDocuments("takeUpdate", state, update, merging);
    expect(written(taken)).toBe(written(takeUpdate(state, update, merging)));
  });

  test("an edit of the document that it was made for is what merging would make of it", () => {
    const taken = takeUpdate(state, update, merging);
    const merged = taken.ok ? taken.merged : undefined;
    expect(written(merged?.input)).toBe(written(edited.input));
    expect(written(edited.input)).toBe(written(after));
    expect([merged?.repair, merged?.lost, edited.refused]).toEqual([null, [], undefined]);
    expect(written(merged?.effect.map(({ path }) => path))).toBe(written(edited.changes.map(({ path }) => path)));
  });

  test("what cannot be done is told to who asked, and the next is done", async () => {
    const torn = state.slice(0, state.length - 5);
    await expect(inDocuments("inputOf", torn)).rejects.toThrow();
    expect(written(await inDocuments("inputOf", state))).toBe(written(before));
  });
});
