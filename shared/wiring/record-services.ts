import type { AccessService } from "../access/access.service.ts";
import { accessLinkService } from "../access/access-link.service.ts";
import { embargoService } from "../access/embargo.service.ts";
import { grantService } from "../access/grant.service.ts";
import { conflictService } from "../drafts/conflict.service.ts";
import { conflictLedger } from "../drafts/conflict-ledger.service.ts";
import { discardService } from "../drafts/discard.service.ts";
import { doiService } from "../drafts/doi.service.ts";
import { draftService } from "../drafts/draft.service.ts";
import { draftContentService, type LoadEntries } from "../drafts/draft-content.service.ts";
import { draftEditService } from "../drafts/draft-edit.service.ts";
import { draftFilesOptions } from "../drafts/draft-files-options.service.ts";
import type { DraftHistory } from "../drafts/draft-history.ts";
import { draftStore } from "../drafts/draft-store.service.ts";
import { editPublishedService } from "../drafts/edit-published.service.ts";
import { publishService } from "../drafts/publish.service.ts";
import { publishCheck } from "../drafts/publish-check.service.ts";
import type { Host } from "../kernel/host.ts";
import { deletionService } from "../records/deletion.service.ts";
import { recordService } from "../records/record.service.ts";
import { recordBodies } from "../records/record-facts.service.ts";
import { usageService } from "../usage/usage.service.ts";
import type { UserService } from "../users/user.service.ts";
import { versionService } from "../versions/version.service.ts";

export interface RecordServicesNeeds {
  host: Host;
  access: AccessService;
  users: UserService;
  loadEntries: LoadEntries;
  history: DraftHistory;
}

/** Records, drafts, versions and what belongs to them, wired. */
export function createRecordServices({ host, access, users, loadEntries, history }: RecordServicesNeeds) {
  const records = recordService({ host, access });
  const usage = usageService(host);
  const bodies = recordBodies({ host, access, usage });
  const content = draftContentService({ host, loadEntries });
  const ledger = conflictLedger(host);
  const store = draftStore({ content, conflicts: ledger, history });
  const filesOptions = draftFilesOptions({ host, store });
  const editing = editPublishedService({ host, access, store });
  const edits = draftEditService({ host, access, records, content, store, editing, history });
  const conflicts = conflictService({ host, edits });
  const drafts = draftService({ host, access, records, content, edits, history });
  const discarding = discardService({ host, access, records });
  const check = publishCheck({ host, content });
  const publishing = publishService({ host, access, records, check });
  const versions = versionService({ host, access, store });
  const links = accessLinkService({ host, access, records });
  const grants = grantService({ host, access, records });
  const dois = doiService({ host, access, records, store });
  const deletion = deletionService({ host, records, users, loadEntries });
  const embargoes = embargoService({ host, records, store });
  return {
    draftContent: content,
    conflicts,
    dois,
    deletion,
    embargoes,
    links,
    grants,
    records,
    bodies,
    edits,
    drafts,
    discarding,
    editing,
    filesOptions,
    publishing,
    usage,
    versions,
  };
}
export type RecordServices = ReturnType<typeof createRecordServices>;
