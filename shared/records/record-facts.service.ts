import type { Access, AccessService } from "../access/access.service.ts";
import { readAccess } from "../access/embargo.lifecycle.ts";
import { highest, isAtLeast, type Level } from "../access/level.policy.ts";
import type { StoredAccess } from "../access/stored-access.schema.ts";
import type { Db } from "../database/open.ts";
import type { DraftRow, FileEntryRow, RecordRow, UsageRow } from "../database/schema.ts";
import { findDraft } from "../drafts/draft.reader.ts";
import { listEntries } from "../files/file.reader.ts";
import type { Caller } from "../kernel/caller.ts";
import { unknownPid } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { findReview } from "../requests/request.reader.ts";
import type { UsageService } from "../usage/usage.service.ts";
import { type HitBodies, type HitRows, hitBodies } from "./hit-bodies.ts";
import { mayReadFiles } from "./record.policy.ts";
import { presentDraft, presentRecord, type RecordBody } from "./record.presenter.ts";
import { findRecord } from "./record.reader.ts";
import { type FactsFor, type FamilyFacts, findFamilyFacts } from "./record.repository.ts";

export interface DraftBodyOptions {
  hasIsoTimes?: boolean;
  /** The files of the draft, if they were read already. */
  files?: FileEntryRow[];
}

/** Makes bodies of records and drafts: loads the rows that the presenter needs. */
export interface RecordBodies {
  /** Body of a published record for a caller with this level on its family. */
  ofRecord(db: Db, record: RecordRow, family: Access): Promise<RecordBody>;
  ofDraft(db: Db, draft: DraftRow, family: Access, options?: DraftBodyOptions): Promise<RecordBody>;
  /** Bodies of the hits of a list, for any caller. Leaves out hits whose family was deleted since the search. */
  ofHits: HitBodies;
  /** Body of the published record, or of the draft when nothing is published. @throws Failure 404. */
  ofAny(db: Db, caller: Caller, id: string): Promise<RecordBody>;
}

interface RecordBodiesNeeds {
  host: Host;
  access: AccessService;
  usage: Pick<UsageService, "list" | "find">;
}

/** A family that was deleted since it was read. */
const noFacts: FamilyFacts = { hasNextDraft: false, linkIds: [], grants: [] };

function factsFor(level: Level): FactsFor {
  if (isAtLeast(level, "manage")) return "managers";
  return isAtLeast(level, "edit") ? "editors" : "everybody";
}

const factsOfAll = (db: Db, families: readonly Access[]): Promise<Map<string, FamilyFacts>> => {
  const ids = families.map(({ parent }) => parent.id);
  return findFamilyFacts(db, [...new Set(ids)], factsFor(highest(families.map(({ level }) => level))));
};

const factsOf = async (db: Db, family: Access, read?: HitRows): Promise<FamilyFacts> =>
  (read?.facts ?? (await factsOfAll(db, [family]))).get(family.parent.id) ?? noFacts;

export function recordBodies({ host, access, usage }: RecordBodiesNeeds): RecordBodies {
  async function commonFacts(db: Db, row: RecordRow | DraftRow, family: Access, facts: FamilyFacts) {
    const isRecord = "is_latest" in row;
    const { parentDoi, linkIds, grants, hasNextDraft } = facts;
    const sync = await host.syncMark(db, { kind: isRecord ? "record" : "draft", id: row.id });
    // A draft's access settings apply only after publishing, so they are shown unchanged.
    const stored: StoredAccess = isRecord ? readAccess(host, row.access) : JSON.parse(row.access);
    return {
      baseUrl: host.baseUrl,
      parent: family.parent,
      access: stored,
      ...(parentDoi ? { parentDoi } : {}),
      ...(isAtLeast(family.level, "manage") ? { secrets: { linkIds, grants } } : {}),
      ...(sync ? { sync } : {}),
      /** Whether a next-version draft replaces the latest record in lists; never for callers without edit rights. */
      hidesLatest: hasNextDraft && isAtLeast(family.level, "edit"),
    };
  }

  const usageOf = async (db: Db, record: RecordRow, read?: HitRows): Promise<UsageRow[]> =>
    read ? [record.id, record.parent_id].flatMap((id) => read.usage.get(id) ?? []) : usage.list(db, record);

  async function ofRecord(db: Db, record: RecordRow, family: Access, read?: HitRows): Promise<RecordBody> {
    const { hidesLatest, ...common } = await commonFacts(db, record, family, await factsOf(db, family, read));
    const isLatest = record.is_latest === 1;
    const seesFiles = mayReadFiles(common.access, family.level);
    const hasEntries = seesFiles && record.files_enabled === 1;
    return presentRecord(record, {
      ...common,
      usage: await usageOf(db, record, read),
      isLatest,
      isFirst: false,
      isLatestDraft: isLatest && !hidesLatest,
      ...(seesFiles ? { entries: hasEntries ? await listEntries(db, { kind: "record", id: record.id }) : [] } : {}),
    });
  }

  async function ofDraft(
    db: Db,
    draft: DraftRow,
    family: Access,
    { files, ...options }: DraftBodyOptions = {},
    read?: HitRows,
  ): Promise<RecordBody> {
    const isEdit = draft.is_edit === 1;
    const isLatest = isEdit && (await findRecord(db, draft.id))?.is_latest === 1;
    const review = await findReview(db, draft);
    const mayEdit = isAtLeast(family.level, "edit");
    const { hidesLatest, ...common } = await commonFacts(db, draft, family, await factsOf(db, family, read));
    return presentDraft(draft, {
      ...common,
      ...options,
      isLatest,
      isFirst: !isEdit && draft.version_index === 1,
      isLatestDraft: isEdit ? isLatest && !hidesLatest : mayEdit,
      ...(review ? { review } : {}),
      entries: files ?? (await listEntries(db, { kind: isEdit ? "record" : "draft", id: draft.id })),
    });
  }

  return {
    ofRecord,
    ofDraft,
    ofHits: hitBodies({ access, usage, factsOf: factsOfAll, ofRecord, ofDraft }),
    async ofAny(db, caller, id) {
      const record = await findRecord(db, id);
      if (record) return ofRecord(db, record, await access.of(db, caller, record.parent_id));
      const draft = await findDraft(db, id);
      if (!draft) throw unknownPid();
      return ofDraft(db, draft, await access.ofDraft(db, caller, draft));
    },
  };
}
