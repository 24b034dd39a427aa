import type { Patch } from "./source-patches.ts";

/** Bugs in documents and files. */
export const docBugs: Record<string, Patch[]> = {
  // Planted alone it has no effect: an edit of another first state is repeated by path.
  "each host makes another first state of a draft, and ignores edits of the others": [
    {
      file: "shared/documents/genesis.ts",
      find: "doc.clientID = clientIdOf(JSON.stringify(draft));",
      put: "",
    },
    {
      file: "shared/drafts/draft-edit.service.ts",
      find: 'if (!guarded.ok && guarded.reason === "gap" && isRepeatable) {',
      put: 'if (!guarded.ok && guarded.reason === "gap") return undefined;\n    if (!guarded.ok && guarded.reason === "gap" && isRepeatable) {',
    },
  ],
  "a client id of a document is reused": [
    {
      file: "main/replica/replica-host.ts",
      find: "return this.#random(4).readUInt32BE(0);",
      put: "return 4711;",
    },
  ],
  "lost values are not kept": [
    {
      file: "shared/drafts/conflict-ledger.service.ts",
      find: "for (const row of await rowsOf(tx, draft, lost, caller.userId, now)) await insertConflict(",
      put: "for (const row of (await rowsOf(tx, draft, lost, caller.userId, now)).slice(1)) await insertConflict(",
    },
  ],
  "an edit resolves conflicts that its author never saw": [
    {
      file: "shared/drafts/conflict-ledger.service.ts",
      find: "known?.has(id)",
      put: "(known && true)",
    },
  ],
  "the server does not repair a merged document": [
    {
      file: "shared/documents/merge.ts",
      find: "for (const repair of repairs) applyRepair(doc, repair, writing);",
      put: "",
    },
  ],
  "edits of an earlier document are dropped": [
    {
      file: "shared/drafts/draft-edit.service.ts",
      find: "if (isEarlier) return repeat(document, edit);",
      put: "if (isEarlier) return undefined;",
    },
  ],
  "edits that depend on a rejected one are dropped": [
    {
      file: "shared/drafts/draft-edit.service.ts",
      find: 'if (!guarded.ok && guarded.reason === "gap" && isRepeatable) {',
      put: 'if (!guarded.ok && guarded.reason === "gap") return undefined;\n    if (!guarded.ok && guarded.reason === "gap" && isRepeatable) {',
    },
  ],
  "edits made during publishing are dropped": [
    {
      file: "shared/drafts/draft-edit.service.ts",
      find: "const { draft, document, has, family, isBegun } = await draftFor(tx, caller, command, now);",
      put: 'const { draft, document, has, family, isBegun } = await draftFor(tx, caller, command, now);\n      if (isBegun) return { result: { id: draft.id }, object: { kind: "draft", id: draft.id }, touched: [{ kind: "family", id: draft.parent_id }], title: "" };',
    },
  ],
  "an item renamed before publishing is not found afterwards": [
    {
      file: "shared/drafts/publish.service.ts",
      find: "if (former.length === 0) return;",
      put: "if (former.length >= 0) return;",
    },
  ],
  "changing an item replaces the whole list": [
    {
      file: "shared/documents/structural-diff.ts",
      find: "const matched = matchItems(list, old, next);",
      put: "const matched = next.map(() => undefined);",
    },
  ],
  "a file of the same name is overwritten": [
    {
      file: "shared/files/file.service.ts",
      find: "const key = taken.has(file.key) ? await this.#freeName(tx, caller, file.key, taken, now) : file.key;",
      put: "const key = file.key;\n        if (taken.has(key)) await deleteEntries(tx, present.filter((one) => one.key === key).map(({ id }) => id));",
    },
  ],
  "a file counts as complete without its bytes": [
    {
      file: "shared/files/file.service.ts",
      find: "if (!this.#host.abilities.verifiesBytes) return command;",
      put: "return command;",
    },
  ],
  "removing all files removes files that the user never saw": [
    {
      file: "shared/files/file.service.ts",
      find: "present.filter(({ id }) => wanted.has(id))",
      put: "present.slice()",
    },
  ],
  "the files of a published version can be changed": [
    {
      file: "shared/files/file.lifecycle.ts",
      find: "if (draft.is_edit === 1) throw",
      put: "if (draft.is_edit === 2) throw",
    },
  ],
};
