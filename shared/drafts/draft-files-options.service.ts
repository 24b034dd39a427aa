import type { Tx } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import type { DraftInput } from "../documents/draft-input.ts";
import { encodeChange, inputOf } from "../documents/merge.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { requireDocument } from "./draft-edit.service.ts";
import type { DraftStore } from "./draft-store.service.ts";

/** What a draft says about its files, when the files themselves changed (records 4.4, 6.6). */
export interface DraftFilesOptions {
  /** Changes preview and order in the draft's document and row, in the transaction of the files. */
  change(tx: Tx, caller: Caller, draft: DraftRow, options: Partial<DraftInput["files"]>, now: number): Promise<void>;
}

export function draftFilesOptions({ host, store }: { host: Host; store: DraftStore }): DraftFilesOptions {
  return {
    async change(tx, caller, draft, options, now) {
      const before = await requireDocument(tx, draft);
      const said = inputOf(before.state);
      const input = { ...said, files: { ...said.files, ...options } };
      const edited = encodeChange(before.state, input, host.newClientId());
      if (edited.update === null) return;
      const change = { before, state: edited.state, input, lost: [], effect: edited.changes, meant: edited.changes };
      await store.save(tx, caller, draft, change, now);
    },
  };
}
