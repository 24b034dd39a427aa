import { docBugs } from "./planted-document-bugs.ts";
import { peopleBugs } from "./planted-people-bugs.ts";
import type { Patch } from "./source-patches.ts";

const inOnePlace = (file: string, find: string, put: string) => [{ file, find, put }];

const authority = "server/authority-host.ts";
const announced = "if (written.touched.length > 0) hints.announce(written.touched, written.people);";

/** Bugs that the simulator must find. Each is a change of the source that could be made by mistake. */
const syncBugs: Record<string, Patch[]> = {
  "the result of an operation is stored after its transaction": [
    {
      file: authority,
      find: "await keepResult(tx, command.caller.origin, outcome.result, seq, now);",
      put: "Object.assign(outcome, { seq });",
    },
    {
      file: authority,
      find: announced,
      put: `${announced} await transaction(db, (later) => keepResult(later, command.caller.origin, written.result, written.seq, now));`,
    },
  ],
  "the feed is written after the transaction of the change": [
    {
      file: authority,
      find: "await publishChanges(tx, access, touched)",
      put: "await publishChanges(tx, access, [])",
    },
    {
      file: authority,
      find: announced,
      put: `${announced} await transaction(db, (later) => publishChanges(later, access, written.touched));`,
    },
  ],
  "withdrawn access is told as deletion, and work on it is dropped": [
    {
      file: "main/sync/puller.ts",
      find: "const snapshot = await takeSnapshot(tx, operation);",
      put: "const snapshot = null; await tx.deleteFrom('operation').where('id', '=', operation.id).execute();",
    },
  ],
  "withdrawn access is not told": inOnePlace(
    "server/sync/feed.service.ts",
    "before.get(userId) !== state)",
    "before.get(userId) !== state && state !== 'withdrawn')",
  ),
  "a request does not tell of its topic": inOnePlace(
    "server/sync/feed.service.ts",
    "if (request) all.set(`family:",
    "if (!request) all.set(`family:",
  ),
  "conversations do not follow the level that somebody has": inOnePlace(
    "server/sync/feed.service.ts",
    'for (const { kind, id } of refs) if (kind === "family")',
    'for (const { kind, id } of refs) if (kind === "group")',
  ),
  "of work on a draft that went nothing is kept": inOnePlace(
    "main/sync/rebase.ts",
    "if (first.vanishing.length > 0) {",
    "if (first.vanishing.length < 0) {",
  ),
  "the feed carries drafts to who may only view": inOnePlace(
    "shared/bundles/bundle.service.ts",
    'const drafts = (rows.draft ?? []).filter((row) => reader.drafts.has(textOf(row, "id")));',
    "const drafts = rows.draft ?? [];",
  ),
  "the feed carries grants and links to everybody": inOnePlace(
    "shared/bundles/bundle.service.ts",
    "access_grant: isManager ? (rows.access_grant ?? []) : [],",
    "access_grant: rows.access_grant ?? [],",
  ),
  "the feed carries the lost values of others": inOnePlace(
    "shared/bundles/bundle.service.ts",
    "conflict: (rows.conflict ?? []).filter((row) => row.user_id === reader.userId),",
    "conflict: rows.conflict ?? [],",
  ),
  "a page of the feed ends amid a transaction": inOnePlace(
    "server/sync/feed.repository.ts",
    "if (rows.length < limit || last === undefined) return rows;",
    "return rows;",
  ),
  "members of a group are forgotten as holders": inOnePlace(
    "server/sync/audience.repository.ts",
    '.where("access_grant.subject_type", "=", "role")',
    '.where("access_grant.subject_type", "=", "nobody")',
  ),
  "who leaves a group keeps what it reached": inOnePlace(
    "shared/users/membership.service.ts",
    "for (const name of [...added, ...removed]) touched.push(...(await directory.reach(tx, name)));",
    "",
  ),
  "an operation sent twice is done twice": [
    {
      file: "server/sync/push.service.ts",
      find: "const earlier = await known(host.db, caller, operation);",
      put: "const earlier = undefined;",
    },
    {
      file: "server/sync/operation-result.repository.ts",
      find: 'db.insertInto("operation_result").values(row)',
      put: 'db.replaceInto("operation_result").values(row)',
    },
  ],
  "every attempt has an id of its own": [
    {
      file: "main/sync/pusher.ts",
      find: "const chosen = await chooseBatch(tx);",
      put: "const chosen = await chooseBatch(tx);\n        for (const one of chosen) await updateOperation(tx, one.id, { wire_id: (one.wire_id = options.host.newUuid()) });",
    },
  ],
  "what was sent is forgotten without an answer": inOnePlace(
    "main/sync/pusher.ts",
    "await endSending(db, ids);",
    "await db.deleteFrom('operation').where('id', 'in', ids).where('state', '=', 'sending').execute();",
  ),
  "a full disk at the server refuses for good": inOnePlace("server/sync/push.service.ts", "503, 507]", "503]"),
  "missing bytes refuse for good": inOnePlace(
    "server/sync/push.service.ts",
    "const blobs = missingBlobs(error);",
    "const blobs = undefined;",
  ),
  "the cursor is stored before the page": [
    { file: "main/sync/puller.ts", find: 'if ((await recall(tx, "cursor")) !== cursor) return undefined;', put: "" },
    {
      file: "main/sync/puller.ts",
      find: "const touched = await store(db, async (tx) => {",
      put: 'await remember(db, "cursor", page.cursor);\n      const touched = await store(db, async (tx) => {',
    },
  ],
  "a restored server is not noticed": inOnePlace(
    "server/sync/changes.service.ts",
    "if (from.epoch !== (await readEpoch(host.db)) || from.seq > (await readHead(host.db))) {",
    "if (from.seq < 0) {",
  ),
  "nothing is delivered again to a restored server": inOnePlace(
    "main/sync/start-over.ts",
    "await reviveDelivered(tx);",
    "",
  ),
  "what a restored server lacks stays": inOnePlace(
    "main/sync/puller.ts",
    "if (!page.more) for (const ref of await removeVanished(options, tx))",
    "if (page.seq < 0) for (const ref of await removeVanished(options, tx))",
  ),
  "what was withdrawn stays on the replica": inOnePlace("main/sync/puller.ts", "await deleteBase(tx, ref);", ""),
  "unsent work is not put back over what the server said": inOnePlace(
    "main/sync/rebase.ts",
    "for (const operation of overlay) {",
    "for (const operation of overlay.slice(overlay.length)) {",
  ),
  "giving one operation up gives all up": inOnePlace(
    "main/sync/tray.service.ts",
    "await deleteOperations(tx, [id]);",
    "await tx.deleteFrom('operation').where('aggregate_id', '=', operation.aggregate_id).execute();",
  ),
  "freeing storage drops bytes that only this computer has": inOnePlace(
    "main/sync/storage.ts",
    "isCached: !needed.has(sha256)",
    "isCached: true",
  ),
};

const rightsBugs: Record<string, Patch[]> = {
  "edits are not checked against the level": inOnePlace(
    "shared/drafts/draft-edit.service.ts",
    'await access.requireDraft(tx, caller, draft, "edit");\n    return { draft, isBegun: false };',
    "return { draft, isBegun: false };",
  ),
  "discarding is not checked against the level": inOnePlace(
    "shared/drafts/discard.service.ts",
    'await access.require(tx, caller, draft.parent_id, "edit");',
    "",
  ),
  "anybody who sees a record may share it": inOnePlace(
    "shared/access/grant.service.ts",
    'return (await access.require(db, caller, parentId, "manage")).parent;',
    'return (await access.require(db, caller, parentId, "view")).parent;',
  ),
  "the reviewer stays one after the decision": inOnePlace(
    "shared/access/access.repository.ts",
    '.where("request.receiver_id", "=", userId)\n    .where("request.status", "=", "submitted")',
    '.where("request.receiver_id", "=", userId)',
  ),
  "anybody decides": inOnePlace(
    "shared/requests/request.policy.ts",
    'if (part.isSuperuser) return true;\n  return action === "submit"',
    'return true || action === "submit"',
  ),
  "a decision on another status than the person saw is taken": inOnePlace(
    "shared/requests/request-action.service.ts",
    "if (seen !== undefined && seen !== request.status) {",
    'if (seen === "never") {',
  ),
  "a draft that changed meanwhile is published": inOnePlace(
    "shared/drafts/publish.service.ts",
    "if (command.expected !== undefined && command.expected !== (await hashOf(tx, draft))) {",
    'if (command.expected === "never") {',
  ),
  "who writes and receives is told twice": inOnePlace(
    "shared/notifications/notification.service.ts",
    "for (const userId of new Set(userIds)) {",
    "for (const userId of [...userIds, ...userIds]) {",
  ),
};

export const plantedBugs: Record<string, Patch[]> = { ...syncBugs, ...rightsBugs, ...docBugs, ...peopleBugs };
