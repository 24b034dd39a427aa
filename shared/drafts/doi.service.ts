import { z } from "zod";
import type { AccessService } from "../access/access.service.ts";
import type { Tx } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import { inDocuments } from "../documents/document-thread.ts";
import { doiScheme, ownDoi, ownProvider, type Pids } from "../identifiers/pids.schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { command } from "../kernel/command.ts";
import { invalidField, unknownPid } from "../kernel/failure.ts";
import type { Host, WriteResult } from "../kernel/host.ts";
import type { RecordService } from "../records/record.service.ts";
import { deleteReservedPids, insertPid, listPids, updateDraft } from "./draft.repository.ts";
import type { DraftId } from "./draft.schema.ts";
import { requireDocument } from "./draft-edit.service.ts";
import { type DraftStore, titleOf } from "./draft-store.service.ts";
import { reserveParentDoi } from "./parent-doi.ts";

const draftId = z.object({ id: z.string() });

/** Reserves a DOI of the service for a draft. Only the server knows the prefix (hosts-and-sync 3). */
const reserveDoi = command({
  name: "doi.reserve",
  version: 1,
  senders: { route: "anybody" },
  input: draftId,
});
/** Releases a reserved DOI. */
const releaseDoi = command({
  name: "doi.release",
  version: 1,
  senders: { route: "anybody" },
  input: draftId,
});

export interface DoiService {
  /** @throws Failure 400 when the draft has a DOI already, 403, 404. */
  reserve(caller: Caller, command: DraftId): Promise<DraftId>;
  /** @throws Failure 404 when the draft has no DOI of the service, 400 when it is registered, 403. */
  release(caller: Caller, command: DraftId): Promise<DraftId>;
}

interface Services {
  host: Host;
  access: AccessService;
  records: RecordService;
  store: DraftStore;
}

export function doiService({ host, access, records, store }: Services): DoiService {
  async function requireDraft(tx: Tx, caller: Caller, id: string): Promise<DraftRow> {
    const draft = await records.findDraft(tx, id);
    await access.requireDraft(tx, caller, draft, "edit");
    return draft;
  }

  /** Saves the pids in the draft's document, like its other fields. */
  async function save(tx: Tx, caller: Caller, draft: DraftRow, pids: Pids, now: number) {
    const before = await requireDocument(tx, draft);
    const parts = { pids: { ...pids } };
    const { state, input, changes } = await inDocuments("changeParts", before.state, parts, host.newClientId());
    await store.save(tx, caller, draft, { before, state, input, lost: [], effect: changes, intended: [] }, now);
  }

  const writeResult = (draft: DraftRow, title: string): WriteResult<DraftId> => ({
    result: { id: draft.id },
    touched: [{ kind: "family", id: draft.parent_id }],
    object: { kind: "draft", id: draft.id },
    title,
  });

  const reserve = (caller: Caller, command: DraftId) =>
    host.write(caller, reserveDoi, command, async (tx, { now }) => {
      const draft = await requireDraft(tx, caller, command.id);
      if (JSON.parse(draft.pids).doi) throw invalidField("pids.doi", "A PID already exists for type doi");
      const doi = ownDoi(host.settings.doi_prefix, draft.id);
      const { identifier, provider } = doi;
      // Earlier versions of the program did not delete the reservations of discarded drafts.
      await deleteReservedPids(tx, draft.id);
      const common = { scheme: doiScheme, parent_id: draft.parent_id, record_id: draft.id, state: "reserved" };
      await insertPid(tx, { ...common, identifier: identifier.toLowerCase(), provider });
      await reserveParentDoi(tx, host.settings, draft);
      const pids = JSON.stringify({ doi });
      await updateDraft(tx, draft.id, { pids });
      await save(tx, caller, { ...draft, pids }, { doi }, now);
      return writeResult(draft, `Reserve a DOI for ${titleOf(draft)}`);
    });

  const release = (caller: Caller, command: DraftId) =>
    host.write(caller, releaseDoi, command, async (tx, { now }) => {
      const draft = await requireDraft(tx, caller, command.id);
      if (JSON.parse(draft.pids).doi?.provider !== ownProvider) throw unknownPid();
      const taken = await listPids(tx, draft.id);
      if (taken.some(({ provider, state }) => provider === ownProvider && state === "registered")) {
        throw invalidField("pids.doi", "Cannot discard a reserved or registered persistent identifier.");
      }
      await save(tx, caller, draft, {}, now);
      return writeResult(draft, `Give back the DOI of ${titleOf(draft)}`);
    });

  return { reserve, release };
}
