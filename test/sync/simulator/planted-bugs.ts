import { docBugs } from "./planted-document-bugs.ts";
import { peopleBugs } from "./planted-people-bugs.ts";
import type { Patch } from "./source-patches.ts";

const inOnePlace = (file: string, find: string, put: string) => [{ file, find, put }];

const authority = "server/authority-host.ts";
const announced = "if (committed.touched.length > 0) hints.announce(committed.touched, committed.people);";

/** Bugs that the simulator must find. Each is a change of the source that could be made by mistake. */
const syncBugs: Record<string, Patch[]> = {
  "the result of an operation is stored after its transaction": [
    {
      file: authority,
      find: "const applied = appliedResult(caller.origin, outcome.result, now);",
      put: "const applied = undefined as AppliedResult | undefined;",
    },
    {
      file: authority,
      find: announced,
      put: `${announced} const late = appliedResult(command.caller.origin, committed.result, environment.now());
        if (late) await transaction(db, async (later) => insertResult(later, { ...late, outcome: "applied", seq: await lastSeqFor(later, command.caller) }));`,
    },
  ],
  "the feed is written after the transaction of the change": [
    {
      file: authority,
      find: "await publishChanges(tx, rules, touched, applied)",
      put: "await publishChanges(tx, rules, [], applied)",
    },
    {
      file: authority,
      find: announced,
      put: `${announced} await transaction(db, (later) => publishChanges(later, rules, committed.touched));`,
    },
  ],
  "withdrawn access is handled as deletion, and work on it is dropped": [
    {
      file: "main/sync/gone-object.ts",
      find: "const snapshot = await takeSnapshot(tx, operation);",
      put: "const snapshot = null; await tx.deleteFrom('operation').where('id', '=', operation.id).execute();",
    },
  ],
  "withdrawn access is not in the feed": inOnePlace(
    "server/sync/feed.service.ts",
    "before.get(userId) !== state)",
    "before.get(userId) !== state && state !== 'withdrawn')",
  ),
  "a request gives no access to its topic": inOnePlace(
    "server/sync/feed.service.ts",
    "if (request) all.set(`family:",
    "if (!request) all.set(`family:",
  ),
  "access to requests does not follow the level on their topic": inOnePlace(
    "server/sync/feed.service.ts",
    'for (const { kind, id } of refs) if (kind === "family")',
    'for (const { kind, id } of refs) if (kind === "group")',
  ),
  "no snapshot of work on a deleted draft is kept": inOnePlace(
    "main/sync/rebase.ts",
    "if (first.vanishing.length > 0) {",
    "if (first.vanishing.length < 0) {",
  ),
  "the feed sends drafts to users who may only view": inOnePlace(
    "shared/bundles/bundle.service.ts",
    'const drafts = (rows.draft ?? []).filter((row) => reader.drafts.has(textOf(row, "id")));',
    "const drafts = rows.draft ?? [];",
  ),
  "the feed sends grants and links to everybody": inOnePlace(
    "shared/bundles/bundle.service.ts",
    "access_grant: isManager ? (rows.access_grant ?? []) : [],",
    "access_grant: rows.access_grant ?? [],",
  ),
  "the feed sends lost values of other users": inOnePlace(
    "shared/bundles/bundle.service.ts",
    "conflict: (rows.conflict ?? []).filter((row) => row.user_id === reader.userId),",
    "conflict: rows.conflict ?? [],",
  ),
  "a page of the feed ends inside a transaction": inOnePlace(
    "server/sync/feed.repository.ts",
    "if (rows.length < limit || last === undefined) return rows;",
    "return rows;",
  ),
  "members of a group are missing from the audience": inOnePlace(
    "server/sync/audience.repository.ts",
    '.where("access_grant.subject_type", "=", "role")',
    '.where("access_grant.subject_type", "=", "nobody")',
  ),
  "a former group member keeps its access": inOnePlace(
    "shared/users/membership.service.ts",
    "for (const name of [...added, ...removed]) touched.push(...(await directory.reach(tx, name)));",
    "",
  ),
  "an operation sent twice is executed twice": [
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
  "every attempt gets a new id": [
    {
      file: "main/sync/pusher.ts",
      find: "const chosen = await chooseBatch(options, tx, upstream, unconfirmed, isolation.most);",
      put: "const chosen = await chooseBatch(options, tx, upstream, unconfirmed, isolation.most);\n        for (const one of chosen) await updateOperation(tx, one.id, { wire_id: (one.wire_id = options.host.newUuid()) });",
    },
  ],
  "an operation without an answer is forgotten": inOnePlace(
    "main/sync/pusher.ts",
    "await endSending(db, ids);",
    "await db.deleteFrom('operation').where('id', 'in', ids).where('state', '=', 'sending').execute();",
  ),
  "a full disk of the server rejects an operation for good": inOnePlace(
    "server/sync/push.service.ts",
    "503, 507]",
    "503]",
  ),
  "missing bytes reject an operation for good": inOnePlace(
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
  "a restored server is not detected": inOnePlace(
    "server/sync/cursor.service.ts",
    "if (from.epoch !== (await readEpoch(host.db))) return false;",
    "return true;",
  ),
  "files put back by hand are not detected": inOnePlace(
    "server/sync/feed-starts.service.ts",
    'return mark === "" || isForgotten || markAt(starts, seq) === mark;',
    "return true;",
  ),
  "what the server took last is not compared": inOnePlace(
    "main/upstreams/carrel/sent-position.ts",
    'return { position: sent.position, isPassed: sent.seq <= ((await recall(db, "seq")) ?? 0) };',
    "return undefined;",
  ),
  "nothing is sent again to a restored server": inOnePlace("main/sync/start-over.ts", "await reviveDelivered(tx);", ""),
  "objects missing on a restored server stay": inOnePlace(
    "main/sync/puller.ts",
    "if (!page.more) for (const ref of await removeVanished(options, tx))",
    "if (page.seq < 0) for (const ref of await removeVanished(options, tx))",
  ),
  "withdrawn objects stay on the replica": inOnePlace("main/sync/puller.ts", "await deleteBase(tx, ref);", ""),
  "unsent work is not replayed on the server's state": inOnePlace(
    "main/sync/rebase.ts",
    "for (const operation of overlay) {",
    "for (const operation of overlay.slice(overlay.length)) {",
  ),
  "discarding one operation discards all": inOnePlace(
    "main/sync/tray.service.ts",
    "await deleteOperations(tx, [id, ...(await listPointless(tx, operation))]);",
    "await tx.deleteFrom('operation').where('aggregate_id', '=', operation.aggregate_id).execute();",
  ),
  "freeing storage drops bytes that only this computer has": inOnePlace(
    "main/sync/storage.ts",
    "isCached: !needed.has(sha256)",
    "isCached: true",
  ),
};

const rightsBugs: Record<string, Patch[]> = {
  "editing does not check the level": inOnePlace(
    "shared/drafts/draft-edit.service.ts",
    'await access.requireDraft(tx, caller, draft, "edit", parent);\n    return { draft, document, has,',
    "await access.of(tx, caller, draft.parent_id, parent);\n    return { draft, document, has,",
  ),
  "discarding does not check the level": inOnePlace(
    "shared/drafts/discard.service.ts",
    'await access.require(tx, caller, draft.parent_id, "edit");',
    "",
  ),
  "anybody who may view a record may share it": inOnePlace(
    "shared/access/grant.service.ts",
    'return (await access.require(db, caller, parentId, "manage")).parent;',
    'return (await access.require(db, caller, parentId, "view")).parent;',
  ),
  "a reviewer keeps access after the decision": inOnePlace(
    "shared/access/access.repository.ts",
    '.where(reviewedBy(userId))\n    .where("request.status", "=", "submitted")',
    ".where(reviewedBy(userId))",
  ),
  "anybody may decide a request": inOnePlace(
    "shared/requests/request.policy.ts",
    "if (part.isSuperuser) return true;\n  return ofCreators",
    'if (part.isSuperuser || action !== "submit") return true;\n  return ofCreators',
  ),
  "a decision on an outdated status is accepted": inOnePlace(
    "shared/requests/request-action.service.ts",
    "if (seen !== undefined && seen !== request.status) {",
    'if (seen === "never") {',
  ),
  "a draft that changed since its user saw it is discarded": inOnePlace(
    "shared/drafts/discard.service.ts",
    "if (expected !== (await hashOf(tx, draft))) {",
    'if (expected === "never") {',
  ),
  "a draft that changed since its user saw it is published": inOnePlace(
    "shared/drafts/publish.service.ts",
    "if (command.expected !== undefined && command.expected !== (await hashOf(tx, draft))) {",
    'if (command.expected === "never") {',
  ),
  "a user who is creator and receiver is notified twice": inOnePlace(
    "shared/notifications/notification.service.ts",
    "for (const userId of new Set(userIds)) {",
    "for (const userId of [...userIds, ...userIds]) {",
  ),
};

export const plantedBugs: Record<string, Patch[]> = { ...syncBugs, ...rightsBugs, ...docBugs, ...peopleBugs };
