import { transaction } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ReplicaRegistration } from "../../shared/sync-protocol/replica-registration.schema.ts";
import { deleteOldReplicas, findReplica, upsertReplica } from "./replica.repository.ts";

export interface ReplicaService {
  /**
   * Registers a start of a data folder.
   * @returns whether another folder continued from the same state: one of them is a copy or was restored from a backup.
   */
  isCopy(userId: string, folder: ReplicaRegistration): Promise<boolean>;
}

/** Limits the known data folders of a user. The ones seen longest ago count as new again. */
const maxPerUser = 100;

export function replicaService(host: Host): ReplicaService {
  return {
    async isCopy(userId, { id, session, nonce, next }) {
      return transaction(host.db, async (tx) => {
        const known = await findReplica(tx, id);
        if (known !== undefined) {
          // The call is a retry whose answer was lost.
          if (known.session === session + 1 && known.nonce === next) return false;
          const isNext = known.session === session && known.nonce === nonce;
          // A higher number means that this server was restored.
          if (known.user_id !== userId || !(isNext || session > known.session)) return true;
        }
        await upsertReplica(tx, { id, user_id: userId, session: session + 1, nonce: next, seen: host.now() });
        await deleteOldReplicas(tx, userId, maxPerUser);
        return false;
      });
    },
  };
}
