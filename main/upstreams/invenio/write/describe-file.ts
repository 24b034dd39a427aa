import type { DescribeFile } from "../../../../shared/files/file.schema.ts";
import { type Description, descriptionOf } from "../../../../shared/files/file-description.ts";
import { isSame, mergeSeen } from "../../../../shared/kernel/merge-seen.ts";
import { filePath } from "../file-paths.ts";
import { filesOf } from "../read/family.ts";
import { keyThere } from "./names-there.ts";
import { noSuchDraft, type Result, refused, refusedBy, unsure, type Writing } from "./outcome.ts";
import { listDescriptions, noteSeen } from "./seen-descriptions.ts";

/** Describes a file. The server takes no precondition, so it is read first: what somebody else wrote stays. */
export async function describeFileAt(
  { site, attempts }: Writing,
  operationId: string,
  command: DescribeFile,
): Promise<Result> {
  const { draftId, metadata } = command;
  const { name, now } = site.options;
  const key = await keyThere(site, command);
  const files = await site.filesOfDraft(draftId);
  const noted = await attempts.find(operationId);
  const shown = filesOf(await site.shadowOf(draftId), "draft", draftId).find((row) => row.key === key);
  const seen: Description = noted ? JSON.parse(noted.known).seen : descriptionOf(shown);
  const theirs = files.find((file) => file.key === key)?.metadata ?? {};
  const { next, isDisputed } = mergeSeen({ seen, mine: metadata, theirs });
  if (isDisputed) {
    await site.keepFiles(draftId, files);
    return refused(409, `Somebody described “${key}” on ${name} meanwhile. Look at it, then describe it again.`);
  }
  if (!isSame(next, theirs) || !files.some((file) => file.key === key)) {
    const written = await site.line.write("PUT", filePath(draftId, key), { json: { metadata: next } });
    if (written.certainty === "unknown") return unsure(written);
    if (written.certainty === "refused") return refusedBy(name, written);
  }
  const seq = await site.keepFiles(draftId, await site.filesOfDraft(draftId), async (tx, at) => {
    await attempts.finish(tx, [operationId], "files", { seq: at, result: null });
    const waiting = await listDescriptions(tx, draftId);
    const later = waiting.find((one) => one.entryId === command.entryId && one.id !== operationId);
    if (later) await noteSeen(tx, later.id, metadata, now());
  });
  return seq === undefined ? noSuchDraft : { outcome: "applied", seq, result: null };
}
