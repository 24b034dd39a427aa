import { type Db, transaction } from "../../shared/database/open.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";
import { reindexFamily } from "../../shared/search/sqlite/record-index.ts";
import { Random } from "../support/random.ts";

const vocabularySize = 30_000;
const onsets = "b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sp st t th tr v w z".split(
  " ",
);
const vowels = "a e i o u ai ea ee ie oo ou".split(" ");
const codas = ["", "", "", "n", "r", "l", "s", "t", "m", "nt", "rd", "ck", "ng", "st"];
const types = ["dataset", "publication-article", "publication-book", "image-figure", "software", "presentation"];
const extensions = ["csv", "pdf", "txt", "nc", "zip", "tif"];
const languages = ["eng", "eng", "eng", "deu", "fra", "spa"];
const hour = 3_600_000_000;
/** 2015-01-01 in microseconds. */
const start = 1_420_070_400_000_000;

/** Pronounceable words, short ones most frequent; the same in every run. */
export const frequentWords: readonly string[] = inventWords();

function inventWords(): string[] {
  const random = new Random(11);
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    const syllables = 1 + Math.floor(Math.log10(1 + words.size) / 1.5 + random.next());
    words.add(
      Array.from({ length: syllables }, () => random.of(onsets) + random.of(vowels) + random.of(codas)).join(""),
    );
  }
  return [...words];
}

/** Picks words by Zipf's law: the n-th word about 1/n as often as the first. */
export class Words {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  one(): string {
    // The inverse of the cumulative Zipf distribution.
    const rank = Math.floor(vocabularySize ** this.#random.next()) - 1;
    return frequentWords[rank] ?? "";
  }

  text(count: number): string {
    return Array.from({ length: count }, () => this.one()).join(" ");
  }
}

/** From half to one and a half times as many words. */
const around = (random: Random, words: number): number => (words >> 1) + random.below(words);

function metadataOf(random: Random, words: Words, descriptionWords: number): Record<string, unknown> {
  const year = 1990 + Math.floor(35 * Math.sqrt(random.next()));
  const creators = random.list(1, 4, () => {
    const [family_name, given_name] = [words.one(), words.one()];
    return {
      person_or_org: { type: "personal", family_name, given_name, name: `${family_name}, ${given_name}` },
      affiliations: [{ name: words.text(3) }],
    };
  });
  return {
    title: words.text(5 + random.below(8)),
    resource_type: { id: random.of(types), title: { en: "Type" } },
    publication_date: random.chance(0.7) ? `${year}-${String(1 + random.below(12)).padStart(2, "0")}` : String(year),
    creators,
    description: `<p>${words.text(around(random, descriptionWords))}</p>`,
    publisher: words.one(),
    languages: [{ id: random.of(languages), title: { en: "Language" } }],
    subjects: random.list(0, 4, () => ({ subject: words.one() })),
    rights: [{ id: "cc-by-4.0", title: { en: "Creative Commons Attribution 4.0 International" } }],
  };
}

export function rowsOf(random: Random, words: Words, at: number, descriptionWords = 100) {
  const id = `bench-${at.toString(36).padStart(6, "0")}`;
  const parentId = `parent-${id}`;
  const created = start + at * hour;
  const expanded = JSON.stringify(metadataOf(random, words, descriptionWords));
  const isPublic = random.chance(0.9);
  const access = {
    record: isPublic ? "public" : "restricted",
    files: isPublic ? "public" : "restricted",
    embargo: { active: false, reason: null },
  };
  const parent = { id: parentId, owner_id: String(1 + random.below(500)), settings: "{}", created, viewer_level: null };
  const record = {
    id,
    parent_id: parentId,
    version_index: 1,
    created,
    updated: created,
    revision_id: 1,
    metadata: expanded,
    expanded,
    custom_fields: "{}",
    access: JSON.stringify(access),
    files_enabled: 1,
    default_preview: null,
    file_order: "[]",
    pids: JSON.stringify({ doi: { identifier: `10.5072/${id}`, provider: "datacite", client: "datacite" } }),
    is_latest: 1,
    tombstone: null,
  };
  const files = random
    .list(1, 3, () => 0)
    .map((_, position) => ({
      id: `${id}-${position}`,
      owner_kind: "record" as const,
      owner_id: id,
      parent_id: parentId,
      key: `${words.one()}-${position}.${random.of(extensions)}`,
      status: "completed" as const,
      sha256: null,
      md5: String(at).padStart(32, "0"),
      size: random.below(1_000_000),
      mimetype: "text/plain",
      metadata: null,
      hidden: 0,
      announced: null,
      file_id: null,
      version_id: null,
      bucket_id: "b",
      created,
      updated: created,
      position,
    }));
  return { parent, record, files };
}

/**
 * Fills a database with published records. Equal seeds give equal records. Returns bytes of JSON and processor seconds.
 */
export async function fillWithRecords(
  db: Db,
  count: number,
  { seed = 7, descriptionWords = 100 } = {},
): Promise<{ jsonBytes: number; indexSeconds: number }> {
  const random = new Random(seed);
  const words = new Words(random);
  let jsonBytes = 0;
  let indexMs = 0;
  for (let from = 0; from < count; from += 500) {
    const batch = Array.from({ length: Math.min(500, count - from) }, (_, index) =>
      rowsOf(random, words, from + index, descriptionWords),
    );
    await transaction(db, async (tx) => {
      for (const { parent, record, files } of batch) {
        await tx.insertInto("parent").values(parent).execute();
        await tx.insertInto("record").values(record).execute();
        await tx.insertInto("file_entry").values(files).execute();
        jsonBytes += record.expanded.length + record.access.length + record.pids.length;
      }
      const began = process.cpuUsage();
      for (const { parent } of batch) await reindexFamily(tx, parent.id);
      const { user, system } = process.cpuUsage(began);
      indexMs += (user + system) / 1000;
    });
    await yieldToEventLoop();
  }
  return { jsonBytes, indexSeconds: indexMs / 1000 };
}
