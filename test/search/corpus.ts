import { type Db, transaction } from "../../shared/database/open.ts";
import type { DraftRow, FileEntryRow, ParentRow, RecordRow } from "../../shared/database/schema.ts";
import type { FamilyRows } from "../../shared/search/record-document.ts";
import { reindexFamily } from "../../shared/search/sqlite/record-index.ts";
import type { Random } from "../support/random.ts";

export const words = [
  "open",
  "science",
  "open-science",
  "openscience",
  "data",
  "database",
  "dat",
  "date",
  "Ölfeld",
  "olfeld",
  "Straße",
  "strasse",
  "café",
  "cafe",
  "naïve",
  "O'Neil",
  "oneil",
  "climate",
  "change",
  "Climate",
  "10.5281/zenodo.7",
  "zenodo",
  "日本語",
  "日",
  "a_b",
  "H2O",
  "2017",
  "b.c",
  "e.g.",
  "x",
  "of",
  "the",
  "NEAR",
  "and",
  "&",
  "--",
  "Łódź",
  "model",
] as const;
export const dates = ["2017", "2017-06", "2018-03-01", "2019/2021", "2020-02", "2016-12-31", "/2015", "2022/"];
export const users = ["1", "2", "3"];
const types = ["dataset", "publication-article", "publication-book", "image-figure", "other"];
const languages = ["eng", "deu", "fra"];
const day = 86_400_000_000;
/** 2024-05-01 in microseconds. */
export const epoch = 1_714_521_600_000_000;

const text = (random: Random, most: number): string => random.list(1, most, () => random.of(words)).join(" ");

function metadata(random: Random): Record<string, unknown> {
  const maybe = (probability: number, value: () => Record<string, unknown>) =>
    random.chance(probability) ? value() : {};
  const person = () => {
    const [family_name, given_name] = [random.of(words), random.of(words)];
    return {
      person_or_org: {
        type: "personal",
        family_name,
        given_name,
        name: `${family_name}, ${given_name}`,
        ...maybe(0.2, () => ({ identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }] })),
      },
      ...maybe(0.4, () => ({ affiliations: [{ name: text(random, 3) }] })),
    };
  };
  return {
    title: text(random, 5),
    resource_type: { id: random.of(types), title: { en: random.of(words) } },
    publication_date: random.of(dates),
    creators: random.list(1, 2, person),
    ...maybe(0.3, () => ({ contributors: random.list(1, 2, person) })),
    ...maybe(0.5, () => ({ description: `<p>${text(random, 8)}</p><p>${text(random, 3)}</p>` })),
    ...maybe(0.3, () => ({
      additional_titles: random.list(1, 2, () => ({ title: text(random, 3), type: { id: "subtitle" } })),
    })),
    ...maybe(0.4, () => ({ subjects: random.list(1, 3, () => ({ subject: random.of(words) })) })),
    ...maybe(0.3, () => ({
      languages: random.list(1, 2, () => ({ id: random.of(languages), title: { en: "English" } })),
    })),
    ...maybe(0.3, () => ({ publisher: text(random, 2) })),
    ...maybe(0.3, () => ({ version: random.of(["v1", "1.0", "data"]) })),
    ...maybe(0.2, () => ({ identifiers: [{ identifier: "10.5281/zenodo.7", scheme: "doi" }] })),
    ...maybe(0.2, () => ({
      dates: [{ date: random.of(dates), type: { id: "collected" }, description: random.of(words) }],
    })),
    ...maybe(0.2, () => ({ copyright: text(random, 2) })),
  };
}

function content(random: Random, id: string, parentId: string, version: number) {
  const isPublic = random.chance(0.7);
  const pids = random.chance(0.4)
    ? { doi: { identifier: `10.5281/zenodo.${id}`, provider: "datacite", client: "datacite" } }
    : {};
  const expanded = JSON.stringify(metadata(random));
  const created = epoch + random.below(40) * day;
  return {
    id,
    parent_id: parentId,
    version_index: version,
    created,
    updated: created + random.below(5) * day + random.below(1000),
    revision_id: 1,
    metadata: expanded,
    expanded,
    custom_fields: "{}",
    access: JSON.stringify({
      record: isPublic ? "public" : "restricted",
      files: isPublic && random.chance(0.7) ? "public" : "restricted",
      embargo: { active: false, reason: null },
    }),
    pids: JSON.stringify(pids),
    files_enabled: random.chance(0.7) ? 1 : 0,
    default_preview: null,
    file_order: "[]",
  };
}

function fileOf(random: Random, ownerId: string, parentId: string, kind: "record" | "draft", at: number): FileEntryRow {
  const key = `${random.of(["data", "Readme", "a b"])}${at}.${random.of(["csv", "PDF", "txt"])}`;
  return {
    id: `${kind}-${ownerId}-${at}`,
    owner_kind: kind,
    owner_id: ownerId,
    parent_id: parentId,
    key,
    status: "completed",
    sha256: null,
    md5: `${random.below(1000)}`,
    size: random.below(5000),
    mimetype: "text/plain",
    metadata: null,
    hidden: 0,
    announced: null,
    file_id: null,
    version_id: null,
    bucket_id: "b",
    created: epoch,
    updated: epoch,
    position: at,
  };
}

export interface Family extends FamilyRows {
  /** Permissions given, by user. */
  grants: { userId: string; permission: string }[];
}

/** One family at random: published versions, perhaps a draft, an owner, perhaps a grant. */
export function randomFamily(random: Random, number: number): Family {
  const parentId = `parent-${number}`;
  const parent: ParentRow = {
    id: parentId,
    owner_id: random.of(users),
    settings: "{}",
    created: epoch,
    viewer_level: null,
  };
  const count = random.below(3);
  const records = Array.from(
    { length: count },
    (_, index): RecordRow => ({
      ...content(random, `r${number}-v${index + 1}`, parentId, index + 1),
      is_latest: index === count - 1 ? 1 : 0,
      tombstone: null,
    }),
  );
  const drafts: DraftRow[] = [];
  const latest = records.at(-1);
  if (!latest || random.chance(0.4)) {
    const isEdit = latest !== undefined && random.chance(0.5);
    const id = isEdit ? latest.id : `r${number}-v${count + 1}`;
    const version = isEdit ? latest.version_index : count + 1;
    drafts.push({
      ...content(random, id, parentId, version),
      is_edit: isEdit ? 1 : 0,
      expires_at: 0,
      request_id: null,
    });
  }
  const files = [
    ...records.flatMap((row) =>
      random.list(0, 2, () => 0).map((_, at) => fileOf(random, row.id, parentId, "record", at)),
    ),
    ...drafts
      .filter((row) => row.is_edit === 0)
      .flatMap((row) => random.list(0, 2, () => 0).map((_, at) => fileOf(random, row.id, parentId, "draft", at))),
  ];
  const grants = random.chance(0.4)
    ? [{ userId: random.of(users), permission: random.of(["view", "preview", "edit", "manage"]) }]
    : [];
  return { parent, records, drafts, files, grants };
}

/** Stores families and indexes them. */
export async function store(db: Db, families: readonly Family[]): Promise<void> {
  await transaction(db, async (tx) => {
    for (const { parent, records, drafts, files, grants } of families) {
      await tx.insertInto("parent").values(parent).execute();
      for (const row of records) await tx.insertInto("record").values(row).execute();
      for (const row of drafts) await tx.insertInto("draft").values(row).execute();
      for (const row of files) await tx.insertInto("file_entry").values(row).execute();
      for (const [at, { userId, permission }] of grants.entries()) {
        const id = `${parent.id}-grant-${at}`;
        await tx
          .insertInto("access_grant")
          .values({
            id,
            parent_id: parent.id,
            subject_type: "user",
            subject_id: userId,
            permission,
            origin: null,
            message: null,
            created: epoch,
          })
          .execute();
      }
      await reindexFamily(tx, parent.id);
    }
  });
}
