import { mostTriedBytes } from "../documents/deleted-items.ts";
import type { Host } from "../kernel/host.ts";
import { aside, type DraftHistory, mostRevisions } from "./draft-history.ts";
import { deletePastBetween, findPast, listPast, upsertPast } from "./draft-past.repository.ts";

/**
 * For a server with several processes: the last 50 revisions of a draft in a table, for a day. An edit may be based on a
 * revision that another process showed.
 */
export function storedDraftHistory({ now }: Pick<Host, "now">): DraftHistory {
  return {
    async keep(tx, { id, revision_id: place }, { epoch, state }) {
      await upsertPast(tx, { draft_id: id, place, epoch, state, kept: now() });
      await deletePastBetween(tx, id, 0, place - mostRevisions);
    },
    // The server numbers revisions, so a shown state is one that was stored.
    shown: () => undefined,
    findState: () => undefined,
    find: (db, id, revision) => findPast(db, id, revision),
    async before(tx, id, epoch) {
      const states: Uint8Array[] = [];
      let total = 0;
      for (const { place, bytes } of await listPast(tx, id, epoch)) {
        if (total >= mostTriedBytes) break;
        total += bytes;
        const past = await findPast(tx, id, place);
        if (past) states.push(past.state);
      }
      return states;
    },
    async keepAside(tx, id, { epoch, state }) {
      await upsertPast(tx, { draft_id: id, place: aside, epoch, state, kept: now() });
    },
  };
}
