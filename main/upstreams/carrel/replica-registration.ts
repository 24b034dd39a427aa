import type { Logger } from "pino";
import { type Db, transaction } from "../../../shared/database/open.ts";
import type { Host } from "../../../shared/kernel/host.ts";
import { replicaRegistrationAnswer } from "../../../shared/sync-protocol/replica-registration.schema.ts";
import { deleteLeasedIds } from "../../replica/lease.repository.ts";
import { type Identity, recall, remember } from "../../sync/person.repository.ts";
import { bodyOf, type Transport } from "../../sync/transport.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import { topUpLeases } from "./leases.ts";

export interface ReplicaRegistrationOptions {
  db: Db;
  host(): Pick<Host, "newUuid" | "newToken" | "now">;
  log: Logger;
}

/**
 * Registers the data folder with the server once after each start. If another folder has continued from the same state,
 * this one is a copy or was restored from a backup, and becomes a new replica (design, sync 1.7, C13). Its operations
 * keep their ids, so its work is safe; only leased ids could be used twice.
 */
export class ReplicaRegistration {
  readonly #options: ReplicaRegistrationOptions;
  #server: string | undefined;

  constructor(options: ReplicaRegistrationOptions) {
    this.#options = options;
  }

  /** Registers the replica and tops up its leased ids. @throws Unreachable, Failure: try again. */
  async register(transport: Transport, server: string): Promise<void> {
    const { db, host } = this.#options;
    if (this.#server !== server && (await this.#isCopy(transport))) {
      await this.#becomeNewReplica();
      await this.#isCopy(transport);
    }
    this.#server = server;
    await topUpLeases(db, transport, host().now());
  }

  #newIdentity(): Identity {
    return { id: this.#options.host().newUuid(), session: 0, nonce: "" };
  }

  async #isCopy(transport: Transport): Promise<boolean> {
    const { db, host } = this.#options;
    const { next = host().newToken(), ...last } = (await recall(db, "identity")) ?? this.#newIdentity();
    await remember(db, "identity", { ...last, next });
    const answer = await transport.call("POST", "/api/sync/replicas", { ...last, next });
    if (answer.status === 404) return false; // an older server without registration
    if (validateAnswer(replicaRegistrationAnswer, bodyOf(answer)).is_copy) return true;
    await remember(db, "identity", { id: last.id, session: last.session + 1, nonce: next });
    return false;
  }

  async #becomeNewReplica(): Promise<void> {
    const { db, host, log } = this.#options;
    await transaction(db, async (tx) => {
      await deleteLeasedIds(tx);
      await remember(tx, "identity", this.#newIdentity());
      await remember(tx, "copied", host().now());
    });
    log.warn("this data folder is a copy of another one, or was restored from a backup");
  }
}
