import { inDocuments } from "../../../../shared/documents/document-thread.ts";
import { canonical, type DraftInput } from "../../../../shared/documents/draft-input.ts";
import type { CreateDraft } from "../../../../shared/drafts/draft.schema.ts";
import type { Json } from "../../../../shared/kernel/json.ts";
import { droppedIn, mergeAnswer } from "../echo.policy.ts";
import { listChangedSince } from "../own-list.ts";
import type { NamedFault } from "../read/faults.schema.ts";
import { bodyOf, inputForm } from "../read/input-form.ts";
import { readTheirRecord, type TheirRecord } from "../read/their-record.ts";
import type { Site } from "../site.ts";
import { markerOf, operationIn } from "./attempt.policy.ts";
import { draftOrEdit } from "./draft-or-edit.ts";
import { insertId, isSentAgain } from "./journal.repository.ts";
import { noSuchDraft, type Result, refused, refusedBy, unsure, type Writing, waits } from "./outcome.ts";
import { begunSince, findUnknownTwin } from "./twins.ts";

/** The draft of an operation at the server. */
interface Made {
  id: string;
  family: string;
  /** The revision of the draft when only the marker was in it. */
  revision: number;
}

const maxTries = 3;

const maxTitle = 100;

const twinWords = (name: string, { metadata }: TheirRecord): string => {
  const title = typeof metadata.title === "string" ? metadata.title.slice(0, maxTitle) : "…";
  return `This computer did not know “${title}” on ${name}, and it may be this draft. Send yours only if you want a second one.`;
};

/** The first call says little: a title to be recognised by, and the marker. */
const firstBody = ({ metadata }: DraftInput, marker: string) => ({
  metadata: { title: typeof metadata.title === "string" ? metadata.title : "…", version: marker },
});

/**
 * Creates a draft in two calls. The first carries a marker in `metadata.version`, so that a draft whose answer was lost
 * is found instead of made twice. The second saves the content.
 */
export async function createDraftAt(writing: Writing, operationId: string, command: CreateDraft): Promise<Result> {
  const { site, attempts } = writing;
  const read = await site.options.content.read(
    site.db,
    command.input,
    site.options.content.emptySituation(command.id, site.options.now()),
  );
  const input = canonical(read.input);
  const made = await makeOrFind(writing, operationId, { draftId: command.id, input });
  if (!("id" in made)) return made;
  const saved = await saveContent(writing, operationId, made, input);
  if (!("theirs" in saved)) return saved;
  const names = new Map([
    [command.id, made.id],
    [command.parentId, made.family],
  ]);
  const result = { id: made.id };
  const ids = { operation_id: operationId };
  const { theirs, document, faults } = saved;
  const seq = await site.keepDraft(theirs, [], {
    document: { epoch: 1, state: document },
    faults,
    also: async (tx, at) => {
      await insertId(tx, { kind: "record", local_id: command.id, remote_id: made.id, ...ids });
      await insertId(tx, { kind: "family", local_id: command.parentId, remote_id: made.family, ...ids });
      await attempts.finish(tx, [operationId], "create", { seq: at, result, names });
    },
  });
  return { outcome: "applied", seq, result, names };
}

/** The draft there after the second call. */
interface SavedContent {
  theirs: TheirRecord;
  document: Uint8Array;
  faults: NamedFault[];
}

/**
 * The second call. Its revision protects what somebody wrote into the draft since, when the answer to an earlier one was
 * lost.
 */
async function saveContent(
  { site }: Writing,
  operationId: string,
  { id, revision }: Made,
  input: DraftInput,
): Promise<SavedContent | Result> {
  const path = `/api/records/${id}/draft`;
  const begun = await inDocuments("genesis", input);
  let body = bodyOf(input);
  let ifMatch = revision;
  for (let tries = 0; tries < maxTries; tries++) {
    const written = await site.line.write("PUT", path, { json: body, ifMatch });
    if (written.certainty === "unknown") return unsure(written);
    if (written.certainty === "done") {
      const theirs = readTheirRecord(written.body);
      return { theirs, ...(await echoOf(site, input, begun, theirs)) };
    }
    if (written.status === 404) {
      // An earlier call has saved the content, and somebody published it.
      const theirs = await draftOrEdit(site, id);
      if (!theirs) return noSuchDraft;
      const { state } = await site.advance({ epoch: 1, state: begun }, theirs, []);
      return { theirs, document: state, faults: [] };
    }
    if (written.status !== 412) {
      // Only the marker is there. Without it the tray has the only copy. The journal keeps the attempt: if this call is
      // lost, a poll finds the draft.
      await site.line.write("DELETE", path, { ifMatch });
      return refusedBy(site.options.name, written);
    }
    const present = await site.lookAtDraft(id);
    if (!present) return noSuchDraft;
    if (operationIn(present.metadata.version) !== operationId) {
      // An earlier call has saved the content.
      const { state } = await site.advance({ epoch: 1, state: begun }, present, []);
      return { theirs: present, document: state, faults: [] };
    }
    const { version: _, ...theirs } = inputForm(present).metadata as Record<string, unknown>;
    body = bodyOf({ ...input, metadata: { ...theirs, ...input.metadata } } as DraftInput);
    ifMatch = present.revision_id;
  }
  return waits;
}

/** The document and the faults after a save. */
export async function echoOf(site: Site, sent: DraftInput, state: Uint8Array, theirs: TheirRecord) {
  const [mine, answer] = [sent, inputForm(theirs)] as unknown as [Json, Json];
  const dropped = droppedIn(mine, answer, theirs.errors, `${site.options.name} has no place for this.`);
  const settled = mergeAnswer(mine, answer, [...(Array.isArray(theirs.errors) ? theirs.errors : []), ...dropped]);
  const next = settled.input as unknown as DraftInput;
  const { state: document } = await inDocuments("ownEdit", state, next, site.options.newClientId());
  return { document, faults: settled.faults };
}

async function makeOrFind(
  { site, attempts }: Writing,
  operationId: string,
  { draftId, input }: { draftId: string; input: DraftInput },
): Promise<Made | Result> {
  const marker = markerOf(operationId);
  const attempt = await attempts.find(operationId);
  if (attempt?.state === "made") return JSON.parse(attempt.known) as Made;
  if (attempt && !attempts.isDue(attempt)) return waits;
  const own = await listChangedSince(site, await begunSince(site, operationId));
  // Without an attempt: this desk was restored from a backup while it was creating the draft.
  const begun = own.find(({ metadata }) => metadata.version === marker);
  if (begun) {
    if (!attempt) await attempts.begin(operationId, "create", { marker });
    return noteMade(begun);
  }
  if (attempt && !(await attempts.lookedInVain(attempt))) return waits;
  const isWanted = await isSentAgain(site.db, operationId);
  const twin = isWanted ? undefined : await findUnknownTwin(site, own, { operationId, draftId, input });
  if (twin) {
    // The journal keeps the attempt: an earlier call may have made a draft that no list shows yet.
    if (!attempt) await attempts.begin(operationId, "create", { marker });
    return refused(409, twinWords(site.options.name, twin));
  }
  const written = await attempts.send(operationId, "create", { marker }, () =>
    site.line.write("POST", "/api/records", { json: firstBody(input, marker) }),
  );
  if (written.certainty === "unknown") return unsure(written);
  if (written.certainty === "refused") {
    await attempts.forget(operationId);
    return refusedBy(site.options.name, written);
  }
  return noteMade(readTheirRecord(written.body));

  async function noteMade({ id, parent, revision_id: revision }: TheirRecord): Promise<Made> {
    const made: Made = { id, family: parent.id, revision };
    await attempts.made(operationId, made);
    return made;
  }
}
