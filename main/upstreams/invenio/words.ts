import { z } from "zod";
import type { MirroredEntry, VocabularyPage } from "../../../shared/sync-protocol/vocabularies.schema.ts";
import type { VocabularyEntry, VocabularyType } from "../../../shared/vocabularies/vocabulary.schema.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import { refusedRead } from "./rest-line.ts";
import type { Site } from "./site.ts";

/** Small vocabularies, copied whole. An entry of another one is stored when a draft or record names it. */
const types = [
  "resourcetypes",
  "titletypes",
  "descriptiontypes",
  "datetypes",
  "relationtypes",
  "creatorsroles",
  "contributorsroles",
] as const satisfies VocabularyType[];

const weekMicros = 7 * 86_400 * 1_000_000;
const size = 100;

const theirEntries = z.looseObject({
  hits: z.looseObject({ hits: z.array(z.looseObject({ id: z.string().min(1).max(300) })).max(10_000) }),
});

const entryOf = ({ id, title, description, icon, props, tags }: Record<string, unknown>): VocabularyEntry =>
  JSON.parse(JSON.stringify({ id, title, description, icon, props, tags }));

async function listEntries(site: Site, type: VocabularyType): Promise<VocabularyEntry[]> {
  const entries: VocabularyEntry[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/vocabularies/${type}?size=${size}&page=${page}`;
    const answer = await site.line.read(path, { urgency: "poll" });
    // Not every site has every vocabulary.
    if (answer.status === 404) return entries;
    if (answer.status !== 200) throw refusedRead(answer);
    const { hits } = validateAnswer(theirEntries, answer.body).hits;
    entries.push(...hits.map(entryOf));
    if (hits.length < size) return entries;
  }
}

/**
 * One vocabulary. All are copied again after a week.
 * @param cursor `<position>.<time>`: the vocabulary that is next; after the last one, when they were copied
 */
export async function wordsAfter(site: Site, cursor: string): Promise<VocabularyPage> {
  const [position = 0, copied = 0] = cursor.split(".").map(Number);
  const now = site.options.now();
  const isOver = position >= types.length;
  const isFresh = isOver && Math.abs(now - copied) < weekMicros;
  if (isFresh || !site.line.mayCall("poll")) return { entries: [], cursor, more: false };
  const next = isOver ? 0 : position;
  const type = types[next] ?? "resourcetypes";
  const version = { created: now, updated: now, revision_id: 1 };
  const entries = (await listEntries(site, type)).map((entry): MirroredEntry => ({ type, entry, ...version }));
  const isLast = next + 1 === types.length;
  return { entries, cursor: `${next + 1}.${isLast ? now : 0}`, more: !isLast };
}
