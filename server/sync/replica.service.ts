import { transaction } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { SignOn } from "../../shared/sync-protocol/sign-on.schema.ts";
import { deleteOldReplicas, findReplica, upsertReplica } from "./replica.repository.ts";

export interface ReplicaService {
  /**
   * Takes note of a data folder that begins to work.
   * @returns whether another one has gone on from the same state: one of them is a copy, or was put back from a backup.
   */
  isCopy(userId: string, folder: SignOn): Promise<boolean>;
}

/** So many data folders of one person are known; of more, the ones not seen for longest are met as new. */
const mostOfOnePerson = 100;

export function replicaService(host: Host): ReplicaService {
  return {
    async isCopy(userId, { id, session, nonce, next }) {
      return transaction(host.db, async (tx) => {
        const known = await findReplica(tx, id);
        if (known !== undefined) {
          // Its answer was lost.
          if (known.session === session + 1 && known.nonce === next) return false;
          const isNext = known.session === session && known.nonce === nonce;
          // Ahead of what is known here: it is this server that was restored.
          if (known.user_id !== userId || !(isNext || session > known.session)) return true;
        }
        await upsertReplica(tx, { id, user_id: userId, session: session + 1, nonce: next, seen: host.now() });
        await deleteOldReplicas(tx, userId, mostOfOnePerson);
        return false;
      });
    },
  };
}
