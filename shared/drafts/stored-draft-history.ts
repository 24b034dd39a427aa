import type { Tx } from "../database/open.ts";
import { maxTriedBytes } from "../documents/deleted-items.ts";
import type { Host } from "../kernel/host.ts";
import { aside, type DraftHistory, maxRevisions, type PastDocument } from "./draft-history.ts";
import {
  deletePastBetween,
  findPast,
  findPastAndSaves,
  listOldestPast,
  listPast,
  measurePast,
  upsertPast,
} from "./draft-past.repository.ts";

/** Bytes of the states stored for the drafts of one user. The oldest of them make room. */
const maxBytes = 64 * 1024 * 1024;
const deletedAtOnce = 100;

/** Deletes the oldest states of an owner beyond the limit. One state is smaller than the limit, so the newest stays. */
async function makeRoom(tx: Tx, ownerId: string): Promise<void> {
  let bytes = Number((await measurePast(tx, ownerId))?.bytes ?? 0);
  while (bytes > maxBytes) {
    for (const oldest of await listOldestPast(tx, ownerId, deletedAtOnce)) {
      if (bytes <= maxBytes) return;
      await deletePastBetween(tx, oldest.draft_id, oldest.place, oldest.place);
      bytes -= oldest.bytes;
    }
  }
}

/**
 * For a server with several processes: the last 50 revisions of a draft in a table, for a day, at most 64 MiB for each
 * user. An edit may be based on a revision that another process showed.
 */
export function storedDraftHistory({ now }: Pick<Host, "now">): DraftHistory {
  async function store(
    tx: Tx,
    draftId: string,
    place: number,
    { epoch, state }: PastDocument,
    saver: string | null = null,
  ): Promise<void> {
    const row = { draft_id: draftId, place, epoch, bytes: state.length, kept: now(), state, saver };
    const stored = await upsertPast(tx, row, draftId);
    // The sum may lack the new state. It is taken again before anything is deleted.
    if (stored && Number(stored.bytes) + state.length > maxBytes) await makeRoom(tx, stored.owner_id);
  }

  return {
    async keep(tx, { id, revision_id: place }, document, saver) {
      await store(tx, id, place, document, saver);
      if (place >= maxRevisions) await deletePastBetween(tx, id, 0, place - maxRevisions);
    },
    // The server numbers revisions, so a shown state is one that was stored.
    shown: () => undefined,
    findState: () => undefined,
    async find(db, id, revision, saver = "") {
      const found = await findPastAndSaves(db, id, revision, saver);
      return found && { epoch: found.epoch, state: found.state, isOvertaken: found.is_overtaken === 1 };
    },
    async before(tx, id, epoch) {
      const states: Uint8Array[] = [];
      let total = 0;
      for (const { place, bytes } of await listPast(tx, id, epoch)) {
        if (total >= maxTriedBytes) break;
        total += bytes;
        const past = await findPast(tx, id, place);
        if (past) states.push(past.state);
      }
      return states;
    },
    keepAside: (tx, id, document) => store(tx, id, aside, document),
  };
}
