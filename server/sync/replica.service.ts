import { transaction } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ReplicaRegistration } from "../../shared/sync-protocol/replica-registration.schema.ts";
import { deleteOldReplicas, findReplica, upsertReplica } from "./replica.repository.ts";

export interface ReplicaService {
  /**
   * Registers that a replica has started with a data folder.
   * @returns true if another folder already continued from the same state. Then one of the two is a copy, or was
   * restored from a backup.
   */
  isCopy(userId: string, folder: ReplicaRegistration): Promise<boolean>;
}

/** How many data folders of a user are stored. The ones that started longest ago are deleted first. */
const maxPerUser = 100;

export function replicaService(host: Host): ReplicaService {
  return {
    async isCopy(userId, { id, session, nonce, next }) {
      return transaction(host.db, async (tx) => {
        const known = await findReplica(tx, id);
        if (known !== undefined) {
          // A retry: the answer to the first call was lost.
          if (known.session === session + 1 && known.nonce === next) return false;
          const isNext = known.session === session && known.nonce === nonce;
          // The replica has a higher number after this server was restored from a backup.
          if (known.user_id !== userId || !(isNext || session > known.session)) return true;
        }
        await upsertReplica(tx, { id, user_id: userId, session: session + 1, nonce: next, seen: host.now() });
        await deleteOldReplicas(tx, userId, maxPerUser);
        return false;
      });
    },
  };
}
