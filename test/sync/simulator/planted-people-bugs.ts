import type { Patch } from "./source-patches.ts";

const inOnePlace = (file: string, find: string, put: string): Patch[] => [{ file, find, put }];

/** Bugs in accounts, files of conversations and the use of the server's clock. */
export const peopleBugs: Record<string, Patch[]> = {
  "who was deactivated is let in": inOnePlace(
    "shared/tokens/token.service.ts",
    "if (!found?.active || !isSameDigest",
    "if (!found || !isSameDigest",
  ),
  "files of a comment go when its words change": inOnePlace(
    "shared/comments/event-writer.service.ts",
    "if (!fileIds) return;",
    "fileIds ??= [];",
  ),
  "files of comments count as unused": inOnePlace(
    "shared/blobs/upload.repository.ts",
    'names("removed_file"), names("event_file"), names("upload")',
    'names("removed_file"), names("upload")',
  ),
  "files of comments are for everybody": inOnePlace(
    "shared/comments/attachment.service.ts",
    "if (mayRead(request, part)) return true;",
    "return true;",
  ),
  "files of comments are stored for nobody": inOnePlace(
    "shared/comments/event-writer.service.ts",
    "await setEventOfFile(tx, id, eventId);",
    "",
  ),
  "conversations are in the order of the clock": [
    {
      file: "shared/comments/timeline-search.ts",
      find: "a.position - b.position ||",
      put: "a.created - b.created || a.position - b.position ||",
    },
  ],
  "requests expire before their time": inOnePlace(
    "shared/requests/request.repository.ts",
    '.where("expires_at", "<=", now)',
    '.where("expires_at", "<=", now + 3_600_000_000)',
  ),
  "what was delivered ages by the clock of the replica alone": inOnePlace(
    "main/sync/operation.repository.ts",
    '.where("delivered", "<", now.server - deliveredLifeMicros)',
    "",
  ),
  "what was delivered ages by the clock of the server alone": inOnePlace(
    "main/sync/operation.repository.ts",
    '.where("delivered_here", "<", now.here - deliveredLifeMicros)',
    "",
  ),
};
