import type { z } from "zod";
import { createComment, deleteComment, updateComment } from "../../../../shared/comments/comment.schema.ts";
import {
  createDraft,
  discardDraft,
  editDraft,
  editPublished,
  newVersion,
  publishDraft,
  resolveConflict,
} from "../../../../shared/drafts/draft.schema.ts";
import {
  commitFile,
  deleteAllFiles,
  deleteFile,
  describeFile,
  importFiles,
  initFiles,
} from "../../../../shared/files/file.schema.ts";
import { restoreFile } from "../../../../shared/files/removed-file.schema.ts";
import { Failure } from "../../../../shared/kernel/failure.ts";
import type { PushedOperation } from "../../../../shared/sync-protocol/push.schema.ts";
import { needs } from "../../../sync/order.policy.ts";
import { ServerError } from "../../../sync/transport.ts";
import { triedInVain } from "../../../sync/tries.ts";
import type { UpstreamOutcome } from "../../../sync/upstream.ts";
import { SlowedDown } from "../rest-line.ts";
import { createCommentAt, deleteCommentAt, updateCommentAt } from "./comments.ts";
import { describeFileAt } from "./describe-file.ts";
import { createDraftAt } from "./draft-create.ts";
import { editDraftAt, type SentEdit } from "./draft-edit.ts";
import {
  areThere,
  deleteAllFilesAt,
  deleteFileAt,
  importFilesAt,
  restoreFileAt,
  type SentFile,
  sendFilesAt,
} from "./draft-files.ts";
import { discardDraftAt, editPublishedAt, newVersionAt } from "./draft-states.ts";
import { deleteSettled } from "./journal.repository.ts";
import { noSuchDraft, outcomeOf, type Result, refused, type Writing, waits } from "./outcome.ts";
import { publishAt } from "./publish.ts";
import { settleConflictHere } from "./settle-conflict.ts";

type Carry = (writing: Writing, operation: PushedOperation) => Promise<Result>;

/** Carries out a command with its checked payload. */
function carries<S extends z.ZodType>(
  { name, input }: { name: string; input: S },
  carry: (writing: Writing, operationId: string, command: z.output<S>) => Promise<Result>,
): [string, Carry] {
  return [name, (writing, { id, payload }) => carry(writing, id, input.parse(payload))];
}

/** What each command does on the server. Edits of one draft are saved together. */
const table = new Map<string, Carry>([
  carries(createDraft, createDraftAt),
  carries(discardDraft, (writing, operationId, { id }) => discardDraftAt(writing, operationId, id)),
  carries(editPublished, (writing, operationId, { id }) => editPublishedAt(writing, operationId, id)),
  carries(newVersion, newVersionAt),
  carries(resolveConflict, settleConflictHere),
  carries(deleteFile, deleteFileAt),
  carries(deleteAllFiles, deleteAllFilesAt),
  carries(describeFile, describeFileAt),
  carries(restoreFile, restoreFileAt),
  carries(importFiles, importFilesAt),
  carries(createComment, createCommentAt),
  carries(updateComment, updateCommentAt),
  carries(deleteComment, deleteCommentAt),
  carries(publishDraft, (writing, operationId, command) =>
    publishAt(writing, operationId, command, writing.isPressed(operationId)),
  ),
]);

const isEdit = ({ kind }: PushedOperation): boolean => kind === editDraft.name;

/** The first operation, with the announcements and finished files of the same draft that follow it. */
function firstFiles(operations: readonly PushedOperation[]): SentFile[] {
  const sent: SentFile[] = [];
  let draftId = "";
  for (const { id: operationId, kind, payload } of operations) {
    const isInit = kind === initFiles.name;
    if (!isInit && kind !== commitFile.name) break;
    const command = isInit ? initFiles.input.parse(payload) : commitFile.input.parse(payload);
    if (sent.length > 0 && command.draftId !== draftId) break;
    draftId = command.draftId;
    sent.push("files" in command ? { operationId, init: command } : { operationId, commit: command });
  }
  return sent;
}

/** The first operation, with the edits of the same draft that follow it. */
function firstGroup(operations: readonly PushedOperation[]): SentEdit[] {
  const edits: SentEdit[] = [];
  for (const operation of operations) {
    if (!isEdit(operation)) break;
    const edit = editDraft.input.parse(operation.payload);
    if (edits.length > 0 && edits[0]?.edit.id !== edit.id) break;
    edits.push({ operationId: operation.id, edit });
  }
  return edits;
}

const isOfFiles = ({ kind }: PushedOperation): boolean => kind.startsWith("file.") || kind === importFiles.name;

/** The draft was published after the user had changed its files. */
const locked = (name: string): Result =>
  refused(403, `This is published on ${name} now, so its files cannot change. Begin a new version for them.`);

const isNoSuchDraft = (result: Result): boolean =>
  result.outcome === "rejected" && result.status === noSuchDraft.status;

/**
 * Changes the files of a draft, which may have been published meanwhile.
 * @param sent what is announced and what was brought; nothing for other changes
 */
async function carryFiles(
  { site }: Writing,
  { draftId, sent }: { draftId: string; sent: readonly SentFile[] },
  carry: () => Promise<Result[]>,
): Promise<Result[]> {
  if ((await site.isEdit(draftId)) && !(await areThere(site, draftId, sent))) return [locked(site.options.name)];
  const results = await carry();
  const isPublished = results.some(isNoSuchDraft) && (await site.lookAtRecord(draftId)) !== undefined;
  return isPublished ? results.map((result) => (isNoSuchDraft(result) ? locked(site.options.name) : result)) : results;
}

async function carryOne(writing: Writing, operation: PushedOperation): Promise<Result> {
  const carry = table.get(operation.kind);
  const { name } = writing.site.options;
  if (carry) return carry(writing, operation);
  return { outcome: "rejected", status: 422, message: `This cannot be done on ${name} from here. Use its web site.` };
}

/** Ids in a command, the one of the object that it writes first. */
const idsOf = ({ payload }: PushedOperation): string[] => {
  const { id, draftId, recordId, requestId } = payload as Record<string, unknown>;
  return [draftId, recordId, requestId, id].filter((one) => typeof one === "string");
};

const creating = new Set<string>([createDraft.name, newVersion.name, editPublished.name]);

/** Whether nothing that depends on an operation may be sent yet. */
const holdsUp = ({ kind }: PushedOperation, { outcome }: Result): boolean =>
  outcome === "waits" || (outcome === "rejected" && creating.has(kind));

const asSent = ({ kind, payload }: PushedOperation) => ({ kind, payload: JSON.stringify(payload) });

const dependsOn = (later: PushedOperation, earlier: PushedOperation): boolean =>
  idsOf(later).some((id) => idsOf(earlier).includes(id)) && needs(asSent(later), asSent(earlier));

/** The results of the first operations, as many as go together. */
async function carryFirst(writing: Writing, operations: readonly PushedOperation[]): Promise<Result[]> {
  const [first] = operations;
  if (!first) return [];
  const done = await writing.attempts.findDone(first.id);
  if (done) return [{ outcome: "applied", ...done }];
  const [object = first.id] = idsOf(first);
  return writing.site.writes.run(object, async () => {
    const sent = firstFiles(operations);
    if (isOfFiles(first))
      return carryFiles(writing, { draftId: object, sent }, async () =>
        sent.length > 0 ? sendFilesAt(writing, object, sent) : [await carryOne(writing, first)],
      );
    const edits = firstGroup(operations);
    return edits.length > 0 ? editDraftAt(writing, object, edits) : [await carryOne(writing, first)];
  });
}

/** The result, or the refusal after the last try whose effect nobody knows. */
function ended({ attempts }: Writing, { id }: PushedOperation, result: Result): Result {
  if (result.outcome !== "waits") attempts.triesEnded(id);
  else if (result.why !== undefined && attempts.triedInVain(id)) return refused(422, triedInVain(result.why));
  return result;
}

/**
 * Carries out operations one after the other. It ends early after an operation whose object got another id, and when the
 * server asks for fewer calls.
 * @throws Unreachable if nothing was done.
 */
export async function pushAll(writing: Writing, operations: readonly PushedOperation[]): Promise<UpstreamOutcome[]> {
  await deleteSettled(writing.site.db);
  const outcomes: UpstreamOutcome[] = [];
  const held: PushedOperation[] = [];
  while (outcomes.length < operations.length) {
    const rest = operations.slice(outcomes.length);
    let results: Result[];
    const [first] = rest;
    try {
      const isHeld = held.some((earlier) => first && dependsOn(first, earlier));
      results = isHeld ? [waits] : await carryFirst(writing, rest);
    } catch (error) {
      if (error instanceof SlowedDown) results = rest.map(() => waits);
      else if (error instanceof Failure && error.kind !== "unauthorized")
        results = [{ outcome: "rejected", status: error.status, message: error.message }];
      // One object that cannot be read holds up nothing else. The status shows the error.
      else if (error instanceof ServerError && first && writing.attempts.triedInVain(first.id))
        results = [refused(422, triedInVain(error.message))];
      else if (outcomes.length > 0) break;
      else throw error;
    }
    for (const [index, found] of results.entries()) {
      const operation = rest[index];
      if (!operation) continue;
      const result = ended(writing, operation, found);
      outcomes.push(outcomeOf(operation, result));
      if (holdsUp(operation, result)) held.push(operation);
    }
    if (results.some((result) => result.outcome === "applied" && result.names)) break;
  }
  return outcomes;
}
