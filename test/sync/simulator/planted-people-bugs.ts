import type { Patch } from "./source-patches.ts";

const inOnePlace = (file: string, find: string, put: string): Patch[] => [{ file, find, put }];

/** Bugs in accounts, files of conversations and the use of the server's clock. */
export const peopleBugs: Record<string, Patch[]> = {
  "a deactivated user is still authenticated": inOnePlace(
    "shared/tokens/token.service.ts",
    "if (!found?.active || !isSameDigest",
    "if (!found || !isSameDigest",
  ),
  "editing a comment removes its files": inOnePlace(
    "shared/comments/event-writer.service.ts",
    "if (!fileIds) return;",
    "fileIds ??= [];",
  ),
  "files of comments count as unused": inOnePlace(
    "shared/blobs/upload.repository.ts",
    'names("removed_file"), names("event_file"), names("upload")',
    'names("removed_file"), names("upload")',
  ),
  "everybody may read files of comments": inOnePlace(
    "shared/comments/attachment.service.ts",
    "if (mayRead(request, part)) return true;",
    "return true;",
  ),
  "files of comments are not linked to their comment": inOnePlace(
    "shared/comments/event-writer.service.ts",
    "await setEventOfFile(tx, id, eventId);",
    "",
  ),
  "timelines are ordered by the clock": [
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
  "delivered operations expire by the replica's clock alone": inOnePlace(
    "main/sync/operation.repository.ts",
    '.where("delivered", "<", now.server - deliveredLifeMicros)',
    "",
  ),
  "delivered operations expire by the server's clock alone": inOnePlace(
    "main/sync/operation.repository.ts",
    '.where("delivered_here", "<", now.here - deliveredLifeMicros)',
    "",
  ),
};
