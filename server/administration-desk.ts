import { statfs } from "node:fs/promises";
import type { Backups, ServerDesk } from "../shared/administration/server-desk.ts";
import type { Services } from "../shared/api.ts";
import type { Host } from "../shared/kernel/host.ts";
import { countStates, listUnregistered, retry } from "./doi/doi-states.service.ts";
import { countMailStates, discard, listMailStates, retryMail } from "./mail/mail-states.service.ts";
import { findBucket } from "./open-blobs.ts";

/** How much of a queue is shown. */
const maxRows = 300;

interface DeskParts {
  host: Host;
  services: Pick<Services, "users">;
  dataDir: string;
  backups: Backups;
}

/** What administrators see and do about the process itself: its disk, queues and backups. */
export function administrationDesk({ host, services, dataDir, backups }: DeskParts): ServerDesk {
  const { db, settings } = host;
  return {
    async disk() {
      const { bavail, blocks, bsize } = await statfs(dataDir);
      const holds_files = (await findBucket(db)) === undefined;
      return { free_bytes: bavail * bsize, total_bytes: blocks * bsize, holds_files };
    },
    mail: {
      isConfigured: settings.smtp !== undefined,
      counts: () => countMailStates(db),
      list: () => listMailStates(db, services.users, maxRows),
      retry: (id) => retryMail(db, id),
      discard: (id) => discard(db, id),
    },
    dois: {
      isConfigured: settings.datacite !== undefined,
      counts: () => countStates(db),
      list: () => listUnregistered(db, maxRows),
      retry: (id) => retry(db, id),
    },
    backups,
  };
}
