import type { Db } from "../../../../shared/database/open.ts";
import type { DraftInput } from "../../../../shared/documents/draft-input.ts";
import { parseTime } from "../../../../shared/kernel/timestamps.ts";
import { recall } from "../../../sync/person.repository.ts";
import type { TheirRecord } from "../read/their-record.ts";
import { isSameText } from "../same-text.policy.ts";
import { findShadow } from "../shadow.repository.ts";
import type { Site } from "../site.ts";
import { operationIn } from "./attempt.policy.ts";
import { findAttempt, findLocalId, findMade, findMoment, isUnsent, listBegun } from "./journal.repository.ts";

/** Clocks are off by so much at most, as far as a question depends on it. */
const clockMicros = 3 * 3_600_000_000;

/** The titles that a draft has had here: the first one, and the present one. */
async function titlesOf(db: Db, draftId: string, first: unknown): Promise<string[]> {
  const row = await db.selectFrom("draft").select("metadata").where("id", "=", draftId).executeTakeFirst();
  const { title } = JSON.parse(row?.metadata ?? "{}");
  return [first, title].filter((one) => typeof one === "string" && one !== "");
}

/** Since when what an operation creates may be there, by the clock of the site. In microseconds UTC. */
export async function begunSince(site: Site, operationId: string): Promise<number> {
  const { created } = await findMoment(site.db, operationId);
  return Math.min(created, site.options.now()) - clockMicros;
}

/**
 * A draft or record there that may be what an operation creates, and which this desk did not know when the user began
 * theirs. Either they began it at another computer, or this desk was restored from a backup and had created it before.
 * It has the same title. Or the operation was in a backup, and the draft was begun there since: a title given after the
 * backup is known nowhere here.
 */
export async function findUnknownTwin(
  site: Site,
  own: readonly TheirRecord[],
  { operationId, draftId, input }: { operationId: string; draftId: string; input: DraftInput },
): Promise<TheirRecord | undefined> {
  const titles = await titlesOf(site.db, draftId, (input.metadata as { title?: unknown }).title);
  const { position } = await findMoment(site.db, operationId);
  const since = await begunSince(site, operationId);
  const wasInBackup = position <= ((await recall(site.db, "restored")) ?? 0);
  const begun = await listBegun(site.db);
  for (const hit of own) {
    const { id, parent, metadata } = hit;
    if (operationIn(metadata.version) !== undefined || begun.has(id)) continue;
    const hasTitle = titles.some((title) => isSameText(String(metadata.title ?? ""), title));
    const owner = parent.access?.owned_by?.user ?? site.options.user.id;
    const mayBeIt = wasInBackup && owner === site.options.user.id && (parseTime(hit.created) ?? 0) >= since;
    if (!hasTitle && !mayBeIt) continue;
    if ((await findLocalId(site.db, "record", id)) ?? (await findLocalId(site.db, "family", parent.id))) continue;
    const shadow = await findShadow(site.db, { kind: "family", id: parent.id });
    if (!shadow || (shadow.revisions[`heard:${parent.id}`] ?? 0) >= position) return hit;
  }
  return undefined;
}

/** Whether a draft holds only what the first call of a creation sends. */
const isBare = ({ metadata, files }: TheirRecord): boolean =>
  Object.keys(metadata).every((key) => ["title", "version", "publication_date"].includes(key)) &&
  Number(files.count ?? 0) === 0;

const [untouchedMicros, youngMicros] = [2_000_000, 600_000_000];

/** Whether nobody has changed a draft since the server made it. */
export const isUntouched = ({ created, updated }: TheirRecord): boolean =>
  (parseTime(updated) ?? 0) - (parseTime(created) ?? 0) < untouchedMicros;

/**
 * Whether a listed draft is a second copy of a next version that was begun here: calls at the same moment make one each
 * (upstreams F8). It is discarded while nobody has touched it. Another desk of the user may work in a young one soon.
 */
async function isSecondVersion(site: Site, hit: TheirRecord): Promise<boolean> {
  if (hit.is_published || !isUntouched(hit)) return false;
  const { bundle } = (await findShadow(site.db, { kind: "family", id: hit.parent.id })) ?? {};
  const other = bundle?.rows.draft?.find(({ id, is_edit }) => id !== hit.id && is_edit === 0);
  const isOwn = (id: unknown) => findLocalId(site.db, "record", String(id));
  if (!other || (await isOwn(hit.id)) !== undefined || (await isOwn(other.id)) === undefined) return false;
  const age = (site.line.thereMs ?? 0) * 1000 - (parseTime(hit.created) ?? 0);
  if (age < youngMicros) return true;
  const present = await site.lookAtDraft(hit.id, { urgency: "poll" });
  if (!present) return true;
  const files = await site.filesOfDraft(hit.id, { urgency: "poll" });
  if (!isUntouched(present) || files.length > 0) return false;
  await site.line.write("DELETE", `/api/records/${hit.id}/draft`, { ifMatch: present.revision_id });
  return true;
}

/**
 * Whether a listed draft belongs to an unfinished creation of this replica, or is a second copy (a twin) of a draft that
 * one created. The operation itself finds the first kind. A twin without content is discarded, and so is the draft of a
 * creation that is in the tray or was there: the tray has its content, and would send it as a new draft.
 */
export async function isUnclaimed(site: Site, hit: TheirRecord): Promise<boolean> {
  const operation = operationIn(hit.metadata.version);
  if (!hit.is_draft) return false;
  if (operation === undefined) return isSecondVersion(site, hit);
  const made = await findMade(site.db, operation);
  if (made === hit.id) return false;
  if (made === undefined && (await isUnsent(site.db, operation))) return true;
  if (made === undefined && (await findAttempt(site.db, operation)) === undefined) return false;
  const present = await site.lookAtDraft(hit.id, { urgency: "poll" });
  if (!present) return true;
  if (!isBare(present)) return false;
  await site.line.write("DELETE", `/api/records/${hit.id}/draft`, { ifMatch: present.revision_id });
  return true;
}
