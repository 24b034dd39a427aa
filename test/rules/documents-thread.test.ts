import { describe, expect, test } from "vitest";
import { withinTransaction } from "../../shared/database/transaction-guard.ts";
import { DocumentQueue, inDocuments } from "../../shared/documents/document-thread.ts";
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
const serialised = (value: unknown): string =>
  JSON.stringify(value, (_key, one) => (one instanceof Uint8Array ? Buffer.from(one).toString("base64") : one));

describe.each([
  ["small, here", 3],
  ["large, in a thread of its own", 2500],
])("what is done with documents (architecture, rule 10): %s", (_where, count) => {
  const [before, after] = [draftOf(count, "snow"), draftOf(count, "ice")];
  const state = genesis(before);
  const edited = ownEdit(state, after, 10);
  const update = edited.update ?? new Uint8Array();
  const merging = { changes: edited.changes, hasChanges: true, clientId: 12, basis: { before: [] } };

  test("is the same wherever it is done", async () => {
    expect(serialised([await inDocuments("genesis", before)])).toBe(serialised([state]));
    expect(serialised(await inDocuments("inputOf", state))).toBe(serialised(before));
    expect(serialised(await inDocuments("ownEdit", state, after, 10))).toBe(serialised(edited));
    const taken = await inDocuments("takeUpdate", state, update, merging);
    expect(serialised(taken)).toBe(serialised(takeUpdate(state, update, merging)));
  });

  test("an edit of the document that it was made for is what merging would make of it", () => {
    const taken = takeUpdate(state, update, merging);
    const merged = taken.ok ? taken.merged : undefined;
    expect(serialised(merged?.input)).toBe(serialised(edited.input));
    expect(serialised(edited.input)).toBe(serialised(after));
    expect([merged?.repair, merged?.lost, edited.refused]).toEqual([null, [], undefined]);
    expect(serialised(merged?.effect.map(({ path }) => path))).toBe(serialised(edited.changes.map(({ path }) => path)));
  });

  test("what cannot be done is told to who asked, and the next is done", async () => {
    const torn = state.slice(0, state.length - 5);
    await expect(inDocuments("inputOf", torn)).rejects.toThrow();
    expect(serialised(await inDocuments("inputOf", state))).toBe(serialised(before));
  });
});

describe("what waits for the thread", () => {
  const small = documentWork.genesis(draftOf(3, "snow"));
  const task = { name: "inputOf", given: [small] } as const;
  const queueOf = (script: string) => new DocumentQueue(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const port = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage("ready");';

  test("is done one after the other, what a transaction waits for before the rest", async () => {
    const queue = queueOf(
      `${port} parentPort.on("message", ({ given }) => parentPort.postMessage({ result: given[0] }));`,
    );
    const order: unknown[] = [];
    const ask = (name: string) =>
      queue.do({ ...task, given: [name] }).then((result) => {
        order.push(result);
      });
    const pending = [ask("first"), ask("second"), ask("third"), withinTransaction(() => ask("within a transaction"))];
    await Promise.all(pending);
    expect(order).toEqual(["first", "within a transaction", "second", "third"]);
  });

  test("is not lost with a task that ends the thread", async () => {
    const dying = `parentPort.on("message", ({ given }) => given[0] === "ill" ? process.exit(1) : parentPort.postMessage({ result: given[0] }));`;
    const queue = queueOf(`${port} ${dying}`);
    const [ill, well] = [queue.do({ ...task, given: ["ill"] }), queue.do({ ...task, given: ["well"] })];
    await expect(ill).rejects.toThrow("ended");
    expect(await well).toBe("well");
  });

  test("is done here where no thread can begin", async () => {
    const queue = queueOf('throw new Error("no thread")');
    expect(serialised(await queue.do(task))).toBe(serialised(documentWork.inputOf(small)));
  });
});
