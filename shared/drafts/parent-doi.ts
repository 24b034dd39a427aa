import type { Tx } from "../database/open.ts";
import type { RecordRow } from "../database/schema.ts";
import { findParentDoi } from "../identifiers/parent-doi.reader.ts";
import { ownDoi, ownProvider, type Pids, parentDoiScheme } from "../identifiers/pids.schema.ts";
import type { Settings } from "../settings/settings.schema.ts";
import { insertPid, markParentDoiRegistered } from "./draft.repository.ts";

type Needs = Pick<Settings, "datacite" | "doi_prefix">;

/**
 * Gives a family the DOI of all its versions with the first DOI of one of them. Only a repository with an account at the
 * agency does so, since this DOI is of no use before it resolves (interoperability 13).
 *
 * The row names a draft or record, as replicas expect of every row.
 */
async function insertParentDoi(tx: Tx, settings: Needs, parentId: string, recordId: string, state: string) {
  if (!settings.datacite) return;
  const { identifier, provider } = ownDoi(settings.doi_prefix, parentId);
  const row = { identifier: identifier.toLowerCase(), parent_id: parentId, record_id: recordId, provider, state };
  await insertPid(tx, { ...row, scheme: parentDoiScheme });
}

/** Reserves it with the DOI of a draft. */
export async function reserveParentDoi(tx: Tx, settings: Needs, draft: { id: string; parent_id: string }) {
  if (await findParentDoi(tx, draft.parent_id)) return;
  await insertParentDoi(tx, settings, draft.parent_id, draft.id, "reserved");
}

/** Registers it with the first DOI of a published version. */
export async function registerParentDoi(tx: Tx, settings: Needs, record: RecordRow): Promise<void> {
  const { doi }: Pids = JSON.parse(record.pids);
  if (doi?.provider !== ownProvider) return;
  const known = await findParentDoi(tx, record.parent_id);
  if (!known) await insertParentDoi(tx, settings, record.parent_id, record.id, "registered");
  else if (known.state === "reserved") await markParentDoiRegistered(tx, record.parent_id);
}
