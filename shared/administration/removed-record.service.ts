import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import type { Page } from "../kernel/search-envelope.ts";
import { assertAdministrator } from "./person.service.ts";
import { countRemoved, listRemoved } from "./removed-record.repository.ts";

type RemovedRecord = Awaited<ReturnType<typeof listRemoved>>[number];

export interface RemovedRecordService {
  /** Deleted records, the last deleted first: the search does not find them. @throws Failure 403 unless administrator. */
  list(caller: Caller, page: { offset: number; limit: number }): Promise<Page<RemovedRecord>>;
}

export function removedRecordService({ db }: Pick<Host, "db">): RemovedRecordService {
  return {
    async list(caller, page) {
      assertAdministrator(caller);
      return { hits: await listRemoved(db, page), total: await countRemoved(db) };
    },
  };
}
