import { foundation } from "./0001-foundation.ts";
import { people } from "./0002-people.ts";
import { vocabularies } from "./0003-vocabularies.ts";
import { search } from "./0004-search.ts";
import { documentWriters } from "./0005-document-writers.ts";
import { vocabularyChanges } from "./0006-vocabulary-changes.ts";
import { searchTokens } from "./0007-search-tokens.ts";
import { deliveredOperations } from "./0008-delivered-operations.ts";
import { usage } from "./0009-usage.ts";
import { doiRegistration } from "./0010-doi-registration.ts";
import { draftReviews } from "./0011-draft-reviews.ts";
import { staleNotifications } from "./0012-stale-notifications.ts";
import { replicas } from "./0013-replicas.ts";
import { conflictsOfADraft } from "./0014-conflicts-of-a-draft.ts";
import { formerKeys } from "./0015-former-keys.ts";
import { loginDevices } from "./0016-login-devices.ts";
import { auditLog } from "./0017-audit-log.ts";
import { idempotencyLeases } from "./0018-idempotency-leases.ts";
import { deliveredHere } from "./0019-delivered-here.ts";
import { attachmentsByUploader } from "./0020-attachments-by-uploader.ts";
import { removedFiles } from "./0021-removed-files.ts";
import { harvestItems } from "./0022-harvest-items.ts";
import { accounts } from "./0023-accounts.ts";
import { administration } from "./0024-administration.ts";
import { identities } from "./0025-identities.ts";
import { desk } from "./0026-desk.ts";
import { reviewers } from "./0027-reviewers.ts";
import { severalProcesses } from "./0028-several-processes.ts";
import { newcomers } from "./0029-newcomers.ts";
import { accessRequests } from "./0030-access-requests.ts";
import { secondFactors } from "./0031-second-factors.ts";
import { pastOfOwners } from "./0032-past-of-owners.ts";
import { upstream } from "./0033-upstream.ts";
import { bucket } from "./0034-bucket.ts";
import { guestLanguage } from "./0035-guest-language.ts";
import { foreignRequests } from "./0036-foreign-requests.ts";
import { userPictures } from "./0037-user-pictures.ts";
import { savers } from "./0038-savers.ts";
import { harvestFiles } from "./0039-harvest-files.ts";
import { mailRecipients } from "./0040-mail-recipients.ts";
import { collections } from "./0041-collections.ts";
import { uploadRooms } from "./0042-upload-rooms.ts";
import { processMessages } from "./0043-process-messages.ts";

/** A step from one database version to the next: SQL that runs in one transaction. A released step never changes. */
export interface Migration {
  name: string;
  sql: string;
  /** What PostgreSQL needs besides the translation of `sql`. */
  postgres?: readonly string[];
  /**
   * The version of the oldest program that can go on beside a database after the step; absent if the step only adds what
   * older programs ignore. What is no longer needed goes a release after the program that needed it.
   */
  oldest?: number;
  /**
   * The step only takes away what programs of its version no longer need. While older ones run it may wait, and the start
   * goes on without it. Such steps are the last ones of a release.
   */
  contracts?: true;
}

/** The version of the oldest program that can go on beside a database after all these steps. */
export const oldestBeside = (steps: readonly Migration[]): number =>
  Math.max(0, ...steps.map(({ oldest = 0 }) => oldest));

/** All steps in order. The version of a database is the number of steps it has run. */
export const migrations: readonly Migration[] = [
  { name: "0001-foundation", sql: foundation },
  { name: "0002-people", sql: people },
  { name: "0003-vocabularies", sql: vocabularies },
  { name: "0004-search", sql: search },
  { name: "0005-document-writers", sql: documentWriters },
  { name: "0006-vocabulary-changes", sql: vocabularyChanges },
  { name: "0007-search-tokens", sql: searchTokens },
  { name: "0008-delivered-operations", sql: deliveredOperations },
  { name: "0009-usage", sql: usage },
  { name: "0010-doi-registration", sql: doiRegistration },
  { name: "0011-draft-reviews", sql: draftReviews },
  { name: "0012-stale-notifications", sql: staleNotifications },
  { name: "0013-replicas", sql: replicas },
  { name: "0014-conflicts-of-a-draft", sql: conflictsOfADraft },
  { name: "0015-former-keys", sql: formerKeys },
  { name: "0016-login-devices", sql: loginDevices },
  { name: "0017-audit-log", sql: auditLog },
  { name: "0018-idempotency-leases", sql: idempotencyLeases },
  { name: "0019-delivered-here", sql: deliveredHere },
  { name: "0020-attachments-by-uploader", sql: attachmentsByUploader },
  { name: "0021-removed-files", sql: removedFiles },
  { name: "0022-harvest-items", sql: harvestItems },
  { name: "0023-accounts", sql: accounts },
  { name: "0024-administration", sql: administration },
  { name: "0025-identities", sql: identities },
  { name: "0026-desk", sql: desk },
  { name: "0027-reviewers", sql: reviewers },
  { name: "0028-several-processes", sql: severalProcesses },
  { name: "0029-newcomers", sql: newcomers },
  { name: "0030-access-requests", sql: accessRequests },
  { name: "0031-second-factors", sql: secondFactors },
  { name: "0032-past-of-owners", sql: pastOfOwners, oldest: 32 },
  { name: "0033-upstream", sql: upstream },
  { name: "0034-bucket", sql: bucket },
  { name: "0035-guest-language", sql: guestLanguage },
  { name: "0036-foreign-requests", sql: foreignRequests },
  { name: "0037-user-pictures", sql: userPictures },
  { name: "0038-savers", sql: savers },
  { name: "0039-harvest-files", sql: harvestFiles },
  { name: "0040-mail-recipients", sql: mailRecipients },
  { name: "0041-collections", sql: collections },
  { name: "0042-upload-rooms", sql: uploadRooms },
  { name: "0043-process-messages", sql: processMessages },
];
