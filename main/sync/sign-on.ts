import type { Logger } from "pino";
import { type Db, transaction } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { signOnAnswer } from "../../shared/sync-protocol/sign-on.schema.ts";
import { deleteLeasedIds } from "../replica/lease.repository.ts";
import { topUpLeases } from "./leases.ts";
import { type Identity, recall, remember } from "./person.repository.ts";
import { bodyOf, type Transport } from "./transport.ts";

export interface SignOnOptions {
  db: Db;
  host(): Pick<Host, "newUuid" | "newToken" | "now">;
  log: Logger;
}

/**
 * Once after each start, the data folder shows the server that nobody else goes on from its last state. If somebody does,
 * it was copied, or put back from a backup: from then on it is a computer of its own (design, sync 1.7, C13). Its work is
 * safe without that, since operations keep their ids; only ids leased ahead would be used twice.
 */
export class FolderSignOn {
  readonly #options: SignOnOptions;
  #server: string | undefined;

  constructor(options: SignOnOptions) {
    this.#options = options;
  }

  /** Tops up the ids leased for work without a network, too. @throws Unreachable, Failure: to be tried again. */
  async signOn(transport: Transport, server: string): Promise<void> {
    const { db, host } = this.#options;
    if (this.#server !== server && (await this.#isTaken(transport))) {
      await this.#beginAnew();
      await this.#isTaken(transport);
    }
    this.#server = server;
    await topUpLeases(db, transport, host().now());
  }

  #new(): Identity {
    return { id: this.#options.host().newUuid(), session: 0, nonce: "" };
  }

  async #isTaken(transport: Transport): Promise<boolean> {
    const { db, host } = this.#options;
    const { next = host().newToken(), ...last } = (await recall(db, "identity")) ?? this.#new();
    await remember(db, "identity", { ...last, next });
    const answer = await transport.call("POST", "/api/sync/replicas", { ...last, next });
    if (answer.status === 404) return false; // a server of before
    if (signOnAnswer.parse(bodyOf(answer)).is_copy) return true;
    await remember(db, "identity", { id: last.id, session: last.session + 1, nonce: next });
    return false;
  }

  async #beginAnew(): Promise<void> {
    const { db, host, log } = this.#options;
    await transaction(db, async (tx) => {
      await deleteLeasedIds(tx);
      await remember(tx, "identity", this.#new());
      await remember(tx, "copied", host().now());
    });
    log.warn("this data folder is a copy of another one, or was put back from a backup");
  }
}
