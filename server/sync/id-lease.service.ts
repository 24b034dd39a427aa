import { transaction } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { insertLeases } from "./id-lease.repository.ts";

export interface LeaseService {
  /** Leases record ids for offline work. No other user gets them. */
  lease(userId: string, count: number): Promise<string[]>;
}

export function leaseService(host: Host): LeaseService {
  return {
    async lease(userId, count) {
      const ids = await host.takeRecordIds(count);
      await transaction(host.db, (tx) => insertLeases(tx, ids, userId, host.now()));
      return ids;
    },
  };
}
