import type { Db } from "../../../shared/database/open.ts";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import type { Json } from "../../../shared/kernel/json.ts";
import type { Lost } from "./conflict-rows.ts";
import { overtaken, revertedIn } from "./echo.policy.ts";
import { documentIn } from "./read/family.ts";
import { inputForm } from "./read/input-form.ts";
import type { TheirRecord } from "./read/their-record.ts";
import type { Heard } from "./shadow.repository.ts";
import { listWitnesses } from "./witness.repository.ts";

/**
 * Values of this user that the server has again as they were before: an older copy was saved, as an open page of the web
 * form does (rule E6).
 */
async function revertedSince(db: Db, theirs: TheirRecord, heard: Heard | undefined): Promise<Lost[]> {
  const known = heard && documentIn(heard, theirs.id);
  if (!known) return [];
  const witnesses = await listWitnesses(db, theirs.id);
  if (witnesses.length === 0) return [];
  const mine = (await inDocuments("inputOf", known.state)) as unknown as Json;
  return revertedIn(mine, inputForm(theirs) as unknown as Json, witnesses);
}

/** Values that the server had not stored, and in whose place somebody has written others since. */
async function overtakenIn(theirs: TheirRecord, heard: Heard | undefined): Promise<Lost[]> {
  const known = heard && documentIn(heard, theirs.id);
  const held = heard?.faults[theirs.id] ?? [];
  if (!known || held.length === 0) return [];
  const mine = (await inDocuments("inputOf", known.state)) as unknown as Json;
  return overtaken(mine, inputForm(theirs) as unknown as Json, held);
}

/** Values of this user that a draft there does not have any more. They stay as conflicts. */
export const lostIn = async (db: Db, theirs: TheirRecord, heard: Heard | undefined): Promise<Lost[]> => [
  ...(await revertedSince(db, theirs, heard)),
  ...(await overtakenIn(theirs, heard)),
];
