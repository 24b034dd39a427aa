import type { Db } from "../../../shared/database/open.ts";
import { inDocuments } from "../../../shared/documents/document-thread.ts";
import type { Json } from "../../../shared/kernel/json.ts";
import type { Lost } from "./conflict-rows.ts";
import { notStored, revertedIn } from "./echo.policy.ts";
import { documentIn } from "./read/family.ts";
import { inputForm } from "./read/input-form.ts";
import type { TheirRecord } from "./read/their-record.ts";
import type { Shadow } from "./shadow.repository.ts";
import { listWitnesses } from "./witness.repository.ts";

/**
 * Values of this user that the server has again as they were before: an older copy was saved, as an open page of the web
 * form does (rule E6).
 */
async function revertedSince(db: Db, theirs: TheirRecord, shadow: Shadow | undefined): Promise<Lost[]> {
  const known = shadow && documentIn(shadow, theirs.id);
  if (!known) return [];
  const witnesses = await listWitnesses(db, theirs.id);
  if (witnesses.length === 0) return [];
  const mine = (await inDocuments("inputOf", known.state)) as unknown as Json;
  return revertedIn(mine, inputForm(theirs) as unknown as Json, witnesses);
}

/** Values that the server had not stored, and that it does not have now either. */
async function notStoredIn(theirs: TheirRecord, shadow: Shadow | undefined): Promise<Lost[]> {
  const known = shadow && documentIn(shadow, theirs.id);
  const held = shadow?.faults[theirs.id] ?? [];
  if (!known || held.length === 0) return [];
  const mine = (await inDocuments("inputOf", known.state)) as unknown as Json;
  return notStored(mine, inputForm(theirs) as unknown as Json, held);
}

const isAt =
  ({ path }: Lost) =>
  (other: Lost): boolean =>
    other.path.join("\n") === path.join("\n");

async function lostValues(db: Db, theirs: TheirRecord, shadow: Shadow | undefined, isLost: (value: Lost) => boolean) {
  const lacking = (await notStoredIn(theirs, shadow)).filter(isLost);
  const reverted = await revertedSince(db, theirs, shadow);
  return [...reverted.filter((lost) => !lacking.some(isAt(lost))), ...lacking];
}

/**
 * Values of this user that a draft there does not have any more. They stay as conflicts. What the server only lacks stays
 * in the draft as typed.
 */
export const lostIn = (db: Db, theirs: TheirRecord, shadow: Shadow | undefined): Promise<Lost[]> =>
  lostValues(db, theirs, shadow, (value) => value.theirs !== undefined);

/** The same of a record whose draft ended with its publication: nothing else keeps what the server lacks. */
export const lostInRecord = (db: Db, theirs: TheirRecord, shadow: Shadow | undefined): Promise<Lost[]> =>
  lostValues(db, theirs, shadow, () => true);
