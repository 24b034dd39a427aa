import type { Tx } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import type { DraftInput } from "../documents/draft-input.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { requireDocument } from "./draft-edit.service.ts";
import type { DraftStore } from "./draft-store.service.ts";

/** Updates a draft's options about files after the files changed (records 4.4, 6.6). */
export interface DraftFilesOptions {
  /** Changes preview and order in the draft's document and row, in the transaction of the files. */
  change(tx: Tx, caller: Caller, draft: DraftRow, options: Partial<DraftInput["files"]>, now: number): Promise<void>;
}

export function draftFilesOptions({ host, store }: { host: Host; store: DraftStore }): DraftFilesOptions {
  return {
    async change(tx, caller, draft, options, now) {
      const before = await requireDocument(tx, draft);
      const edited = await inDocuments("changeParts", before.state, { files: options }, host.newClientId());
      if (edited.update === null) return;
      const { state, input, changes } = edited;
      await store.save(tx, caller, draft, { before, state, input, lost: [], effect: changes, intended: changes }, now);
    },
  };
}
