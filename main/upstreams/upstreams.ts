import type { Services } from "../../shared/api.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { Tries } from "../sync/tries.ts";
import type { Upstreams, Welcome } from "../sync/upstream.ts";
import { carrelServer } from "./carrel/carrel-server.ts";
import { PageSize } from "./carrel/page-size.ts";
import { ReplicaRegistration, type ReplicaRegistrationOptions } from "./carrel/replica-registration.ts";
import { RequestSize } from "./carrel/uploads.ts";
import { checkConnection, NotCarrel } from "./carrel/welcome.ts";
import { type Budget, emptyBudget } from "./invenio/budget.policy.ts";
import { invenioServer } from "./invenio/invenio-upstream.ts";
import { findNotTaken, listNotTaken } from "./invenio/shadow.repository.ts";
import { welcomeByInvenio } from "./invenio/welcome.ts";
import { listUnsure } from "./invenio/write/journal.repository.ts";
import { isInvenio } from "./recognise.ts";

export interface UpstreamsOptions extends ReplicaRegistrationOptions {
  host(): Pick<Host, "now" | "newUuid" | "newToken" | "newClientId">;
  /** A function, because the services are made after the options. */
  services(): Pick<Services, "draftContent" | "vocabularies">;
  /** Whether a window of the app is open. */
  hasWindow(): boolean;
}

/** @throws Failure 400 that says what is wrong. */
async function welcome(address: string, token: string): Promise<Welcome> {
  try {
    return await checkConnection(address, token);
  } catch (error) {
    if (!(error instanceof NotCarrel && (await isInvenio(address)))) throw error;
    return welcomeByInvenio(address, token);
  }
}

/** The kinds of servers that a replica can connect to. */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { db, host, services, hasWindow } = options;
  const sizes = { requestSize: new RequestSize(), pageSize: new PageSize() };
  const carrel = { db, registration: new ReplicaRegistration(options), ...sizes };
  const tries = new Tries();
  const limits = new Map<string, { budget: Budget }>();
  const limitsOf = (server: string) => {
    const known = limits.get(server) ?? { budget: emptyBudget };
    limits.set(server, known);
    return known;
  };

  return {
    welcome,
    leftOpen: async () => ({ notTaken: await listNotTaken(db), unsure: await listUnsure(db) }),
    notTakenOf: findNotTaken,
    open(account, signal) {
      if (!account.upstream) return carrelServer(carrel, account, signal);
      const own = { now: () => host().now(), newClientId: () => host().newClientId(), newUuid: () => host().newUuid() };
      const { draftContent: content, vocabularies } = services();
      const parts = {
        db,
        content,
        loadEntries: vocabularies.lookups,
        limits: limitsOf(account.server),
        tries,
        hasWindow,
      };
      return invenioServer({ ...parts, ...own }, account, signal);
    },
  };
}
