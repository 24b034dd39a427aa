import { z } from "zod";
import type { Tx } from "../database/open.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { findDraft } from "../drafts/draft.reader.ts";
import { requireDocument } from "../drafts/draft-edit.service.ts";
import type { DraftStore } from "../drafts/draft-store.service.ts";
import { system } from "../kernel/caller.ts";
import { command } from "../kernel/command.ts";
import type { Host, WriteResult } from "../kernel/host.ts";
import { findRecord } from "../records/record.reader.ts";
import type { RecordService } from "../records/record.service.ts";
import { isLapsed, lifted } from "./embargo.lifecycle.ts";
import type { StoredAccess } from "./stored-access.schema.ts";

/** Makes a record public after its embargo. Only the server does so, by its clock. */
const liftEmbargo = command({
  name: "embargo.lift",
  version: 1,
  senders: { console: "host" },
  input: z.object({ id: z.string() }),
});

export interface EmbargoService {
  /** Lifts the embargo of one record if its day has come (records 7.1). */
  lift(id: string): Promise<void>;
  /** Lifts all embargoes that have ended. @returns how many. */
  liftAll(): Promise<number>;
}

interface Services {
  host: Host;
  records: RecordService;
  store: DraftStore;
}

export function embargoService({ host, records, store }: Services): EmbargoService {
  /** Updates the edit draft too, if its access settings equal those of the record. */
  async function followWithDraft(tx: Tx, id: string, before: string, after: StoredAccess, now: number): Promise<void> {
    const draft = await findDraft(tx, id);
    if (draft?.access !== before) return;
    const document = await requireDocument(tx, draft);
    const parts = { access: after };
    const { state, input, changes } = await inDocuments("changeParts", document.state, parts, host.newClientId());
    await store.save(
      tx,
      system,
      draft,
      { before: document, state, input, lost: [], effect: changes, intended: [] },
      now,
    );
  }

  async function lift(id: string): Promise<void> {
    await host.write(system, liftEmbargo, { id }, async (tx, { now }): Promise<WriteResult<{ id: string }>> => {
      const record = await findRecord(tx, id);
      const common = { result: { id }, object: { kind: "record", id }, title: "Lift an embargo" };
      const access: StoredAccess | undefined = record && JSON.parse(record.access);
      if (!record || !access || !isLapsed(access, now)) return { ...common, touched: [] };
      const change = { access: JSON.stringify(lifted(access)), updated: now, revision_id: record.revision_id + 1 };
      await records.updateRow(tx, id, change);
      await followWithDraft(tx, id, record.access, lifted(access), now);
      return { ...common, touched: [{ kind: "family", id: record.parent_id }] };
    });
  }

  return {
    lift,
    async liftAll() {
      const now = host.now();
      const due = (await records.listEmbargoed(host.db)).filter(({ access }) => isLapsed(JSON.parse(access), now));
      for (const { id } of due) await lift(id);
      return due.length;
    },
  };
}
