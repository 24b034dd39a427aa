import type { Patch } from "./source-patches.ts";

/** A branch of reconciling: the place in the source after which it is reached. */
interface Branch {
  name: string;
  file: string;
  at: string;
  /** Reached where the condition that `at` is does not hold. */
  isElse?: true;
}

const inFile = (file: string, places: Record<string, string>): Branch[] =>
  Object.entries(places).map(([name, at]) => ({ name, file, at }));

/** All that a standard run must reach: a simulator that never gets somewhere says nothing about it. */
export const branches: Branch[] = [
  ...inFile("main/sync/puller.ts", {
    "a page waits behind another pull": "if (touched === undefined) ",
    "the server lives another life, a page is refused": "if (answer.status === 410 && cursor !== undefined) {",
    "what was withdrawn takes its work to the tray":
      "    else {\n      const snapshot = await takeSnapshot(tx, operation);",
    "work applied on what is withdrawn or gone counts as delivered": 'if (operation.state === "applied") ',
    "something is fetched": "if (live.length > 0) ",
    "something is deleted elsewhere": "if (isGone) ",
    "something is withdrawn": 'if (change.state === "withdrawn") ',
    "work is confirmed by the feed": "if (confirmed.length > 0) {",
  }),
  ...inFile("main/sync/read-page.ts", {
    "what is new of an object comes as a difference": "if (!change.delta) return change;",
    "a difference is not one to what is here": "if (!whole) ",
  }),
  ...inFile("main/sync/start-over.ts", {
    "everything delivered is sent again": "await reviveDelivered(tx);",
    "the restored server lacks something": "const overlay = await listOverlay(tx, ref);",
    "work lies on what the restored server lacks": "for (const operation of overlay) {",
  }),
  ...inFile("main/sync/pusher.ts", {
    "a push finds the server in another life": "if (answer.status === 410) {",
    "an answer comes from a life that is over": 'if ((await recall(tx, "lives")) !== lives) ',
    "nothing is sent before the first page": "if (cursor === undefined) ",
    "the server is too old for an operation, the rest goes on": "options.unsupported.set(first.id, error.message);",
    "an operation waits for its bytes": 'if (outcome.outcome === "blocked") {',
    "a refusal comes for what is no more there":
      'if (!operation || operation.state === "applied" || operation.state === "delivered") ',
  }),
  {
    name: "the answer to a push comes after the feed told",
    file: "main/sync/pusher.ts",
    at: 'operation && operation.state !== "delivered"',
    isElse: true,
  },
  ...inFile("main/sync/refusal.ts", {
    "refused work goes to the tray": 'await updateOperation(tx, operation.id, { state: "rejected", ...change });',
    "an id was taken and is changed": "if (taken.length > 0) ",
  }),
  ...inFile("main/sync/rebase.ts", {
    "unconfirmed work is done again over the server's state":
      "await handler.execute({ ...caller, origin }, JSON.parse(operation.payload));",
    "unconfirmed work does not fit any more": "await sql`rollback to replay`.execute(tx);",
    "an object goes here, too": "else if (base === undefined) ",
  }),
  ...inFile("main/sync/tray.service.ts", {
    "refused work is tried again": "const payload = JSON.stringify(await renewPayload(options, operation));",
    "a refused edit is tried again": "if (operation.kind === editDraft.name) ",
    "a refused publication is tried again": 'if (operation.kind === "draft.publish") {',
    "refused work becomes a new draft": "const { files: options, ...input } = snapshot.input;",
    "a refused comment becomes a text":
      'if (typeof content !== "string") throw notFound("This change has no content that could be copied.");',
    "refused work is given up": "await deleteOperations(tx, [id]);",
  }),
  ...inFile("main/replica/replica-host.ts", {
    "a decision waits for the server": "this.announce(written.touched);\n    link.notify();",
    "a refusal is asked again with the server's present state": "await this.#options.link.refresh();",
  }),
  ...inFile("main/replica/lease.repository.ts", {
    "a leased id is taken": "export async function takeLeasedId(db: Db): Promise<string | undefined> {",
  }),
  ...inFile("server/sync/push.service.ts", {
    "an operation comes again and is answered as before": "if (!row) return undefined;",
    "an operation is refused":
      "const body = { ...failure.toBody(), status: failure.status, message: failure.message };",
    "bytes are missing": "if (blobs) ",
    "a batch ends early": "if (outcomes.length === 0) throw error;",
  }),
  ...inFile("server/sync/feed.service.ts", {
    "it is told who holds something": 'const state = audience ? "withdrawn" : "deleted";',
  }),
  ...inFile("shared/drafts/draft-edit.service.ts", {
    "an edit is repeated in a document started anew": "if (isEarlier) ",
    "an edit builds on one that is not there": 'if (!guarded.ok && guarded.reason === "gap" && isRepeatable) ',
    "what was published elsewhere is edited on": "if (record && isOvertaken && record.tombstone === null) {",
  }),
  ...inFile("shared/drafts/conflict-ledger.service.ts", {
    "an edit settles a conflict": "if (changed.related(readPath(row.path))) ",
    "a value lost": "for (const row of await rowsOf(tx, draft, lost, caller.userId, now)) ",
  }),
  ...inFile("shared/documents/deleted-items.ts", {
    "what was written into an item that is gone is found": "if (changes.length > 0) ",
  }),
  ...inFile("shared/documents/conflict.ts", {
    "an edit into an item that is gone": "if (gone !== undefined) ",
    "one text was edited in two places":
      "const text = mergeText(textOf(before), textOf(after), textOf(stands), judging.effort);",
    "two values of one scalar": "repair(path, stands, result, judging);",
    "an item is removed that was edited elsewhere": "if (sameJson(stands, change.before)) return;",
  }),
  ...inFile("shared/drafts/conflict.service.ts", {
    "the lost value is chosen": 'if (side === "mine") ',
    "a conflict is settled": "await deleteConflict(tx, row.id);",
  }),
  ...inFile("shared/drafts/discard.service.ts", {
    "one's own beginning of a shared draft is discarded": "if (draft.id !== command.id) ",
  }),
  ...inFile("shared/drafts/publish.service.ts", {
    "a draft that changed meanwhile is not published":
      "if (command.expected !== undefined && command.expected !== (await hashOf(tx, draft))) {",
  }),
  ...inFile("shared/versions/version.service.ts", {
    "a version begun on two sides": "if (present) {",
  }),
  ...inFile("shared/requests/request-action.service.ts", {
    "a decision on a status that is over": "if (seen !== undefined && seen !== request.status) {",
  }),
  ...inFile("shared/files/file.service.ts", {
    "two files of one name": "if (!isDelayed(caller)) throw nameTaken(key);",
    "one file on two sides": "const twice = sameFileTwice(entries.filter((other) => other.sha256 === sha256));",
  }),
];

/**
 * Counts a branch: behind the statement or at the beginning of the block that `at` ends with; of `if (…) ` without a block
 * as part of its condition, of `for (…) ` before what it repeats.
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
