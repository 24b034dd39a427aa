import type { Patch } from "./source-patches.ts";

/** A branch of sync, named, with the source text after which it is reached. */
interface Branch {
  name: string;
  file: string;
  at: string;
  /** The branch is reached when the condition `at` is false. */
  isElse?: true;
}

const inFile = (file: string, places: Record<string, string>): Branch[] =>
  Object.entries(places).map(([name, at]) => ({ name, file, at }));

/** The branches that a standard run must reach. A simulator that never reaches a branch does not test it. */
export const branches: Branch[] = [
  ...inFile("main/sync/puller.ts", {
    "a page waits behind another pull": "if (touched === undefined) ",
    "the server has a new epoch, a page is refused": 'if (fetched.state === "restored") {',
    "an object is fetched": "if (live.length > 0) ",
    "an object is deleted elsewhere": "if (isDeleted) ",
    "access to an object is withdrawn": 'if (change.state === "withdrawn") ',
    "the feed confirms operations": "if (confirmed.length > 0) {",
  }),
  ...inFile("main/sync/gone-object.ts", {
    "access is withdrawn, unsent work goes to the tray":
      "    else {\n      const snapshot = await takeSnapshot(tx, operation);",
    "an applied operation on a withdrawn or deleted object counts as delivered": 'if (operation.state === "applied") ',
  }),
  ...inFile("main/upstreams/carrel/read-page.ts", {
    "an object arrives as a delta": "if (!change.delta) return change;",
    "a delta does not fit the base": "if (!whole) ",
  }),
  ...inFile("main/sync/start-over.ts", {
    "delivered operations are sent again": "await reviveDelivered(tx);",
    "the restored server lacks an object": "const overlay = await listOverlay(tx, ref);",
    "an object that the restored server lacks has unsent work": "for (const operation of overlay) {",
  }),
  ...inFile("main/sync/pusher.ts", {
    "a push finds the server in a new epoch": 'if (outcomes === "restored") {',
    "an answer of an earlier epoch arrives": 'if ((await recall(tx, "lives")) !== lives) ',
    "nothing is sent before the first page": "if (cursor === undefined) ",
    "the server is too old for an operation, the others are sent": "options.unsupported.set(first.id, error.message);",
    "an operation is blocked until its bytes arrive": 'if (outcome.outcome === "blocked") {',
    "an operation is rejected that no longer exists":
      'if (!operation || operation.state === "applied" || operation.state === "delivered") ',
  }),
  {
    name: "the answer to a push arrives after the feed confirmed it",
    file: "main/sync/pusher.ts",
    at: 'operation && operation.state !== "delivered"',
    isElse: true,
  },
  ...inFile("main/sync/refusal.ts", {
    "a rejected operation goes to the tray":
      'await updateOperation(tx, operation.id, { state: "rejected", ...change });',
    "an id is in use and is replaced": "if (taken.length > 0) ",
  }),
  ...inFile("main/sync/rebase.ts", {
    "an unconfirmed operation is executed again over the server's state":
      "await handler.execute({ ...caller, origin }, JSON.parse(operation.payload));",
    "an unconfirmed operation does not fit any more": "await sql`rollback to replay`.execute(tx);",
    "an object is deleted here too": "else if (base === undefined) ",
  }),
  ...inFile("main/sync/tray.service.ts", {
    "a rejected operation is retried": "const payload = JSON.stringify(await renewPayload(options, operation));",
    "a rejected edit is retried": "if (operation.kind === editDraft.name) ",
    "a rejected publication or discard is retried": "if (namesSeenContent.has(operation.kind)) {",
    "a rejected edit becomes a new draft": "const { files: options, ...input } = snapshot.input;",
    "a rejected comment is copied as text":
      'if (text === undefined) throw notFound("This change has no content that could be copied.");',
    "a rejected operation is discarded": "await deleteOperations(tx, [id, ...(await listPointless(tx, operation))]);",
  }),
  ...inFile("main/replica/replica-host.ts", {
    "a decision is queued for the server": "this.announce(effect.touched);\n    link.notify();",
    "a refused decision is checked again with the server's present state": "await this.#options.link.refresh();",
  }),
  ...inFile("main/replica/lease.repository.ts", {
    "a leased id is used": "export async function takeLeasedId(db: Db): Promise<string | undefined> {",
  }),
  ...inFile("server/sync/push.service.ts", {
    "an operation is pushed again and answered as before": "if (!row) return undefined;",
    "an operation is rejected":
      "const body = { ...failure.toBody(), status: failure.status, message: failure.message };",
    "bytes are missing": "if (blobs) ",
    "a batch ends early": "if (outcomes.length === 0) throw error;",
  }),
  ...inFile("server/sync/feed.service.ts", {
    "users who hold an object get its deletion or withdrawal": 'const state = audience ? "withdrawn" : "deleted";',
  }),
  ...inFile("shared/drafts/draft-edit.service.ts", {
    "an edit is repeated in a new document": "if (isEarlier) ",
    "an edit depends on one that is missing": 'if (!guarded.ok && guarded.reason === "gap" && isRepeatable) ',
    "an edit continues on a draft published elsewhere": "if (record && isOvertaken && record.tombstone === null) {",
  }),
  ...inFile("shared/drafts/conflict-ledger.service.ts", {
    "an edit resolves a conflict": "if (changed.related(readPath(row.path))) ",
    "a value lost": "for (const row of await rowsOf(tx, draft, lost, caller.userId, now)) ",
  }),
  ...inFile("shared/documents/deleted-items.ts", {
    "a write into a deleted item is found": "if (changes.length > 0) ",
  }),
  ...inFile("shared/documents/conflict.ts", {
    "an edit in a deleted item": "if (deletedPath !== undefined) ",
    "one text was edited in two places":
      "const text = mergeText(textOf(before), textOf(after), textOf(stands), judging.effort, textOf(result));",
    "two values of one scalar": "repair(path, stands, result, judging);",
    "an item is removed that was edited elsewhere": "if (sameJson(stands, change.before)) return;",
  }),
  ...inFile("shared/drafts/conflict.service.ts", {
    "the lost value is chosen": 'if (side === "mine") ',
    "a conflict is resolved": "await deleteConflict(tx, row.id);",
  }),
  ...inFile("shared/drafts/discard.service.ts", {
    "one's own copy of a merged draft is discarded": "if (draft.id !== command.id) ",
    "a draft that changed meanwhile is not discarded": "if (expected !== (await hashOf(tx, draft))) {",
  }),
  ...inFile("shared/drafts/publish.service.ts", {
    "a draft that changed meanwhile is not published":
      "if (command.expected !== undefined && command.expected !== (await hashOf(tx, draft))) {",
  }),
  ...inFile("shared/versions/version.service.ts", {
    "a version created on two replicas": "if (present) {",
  }),
  ...inFile("shared/requests/request-action.service.ts", {
    "a decision on a status that changed meanwhile": "if (seen !== undefined && seen !== request.status) {",
  }),
  ...inFile("shared/files/file.service.ts", {
    "two files of one name": "if (!isDelayed(caller)) throw nameTaken(key);",
    "the same file added on two replicas":
      "const twice = sameFileTwice(entries.filter((other) => other.sha256 === sha256));",
  }),
];

/**
 * The patch that counts a branch: after the statement `at`, or at the start of its block. For an `if (…) ` without a
 * block it becomes part of the condition; for a `for (…) ` it comes before the body.
 */
export function markOf({ name, file, at, isElse }: Branch): Patch {
  const call = `globalThis.reachedBranch(${JSON.stringify(name)})`;
  if (isElse) return { file, find: at, put: `(${at}) || !${call}` };
  const condition = at.indexOf("if (");
  if (!at.endsWith(") ")) return { file, find: at, put: `${at} ${call};` };
  if (condition < 0) return { file, find: at, put: `${at}if (${call}) ` };
  const [before, tested] = [at.slice(0, condition), at.slice(condition + 4, -2)];
  return { file, find: at, put: `${before}if ((${tested}) && ${call}) ` };
}
