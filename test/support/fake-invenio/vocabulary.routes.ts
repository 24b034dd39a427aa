import type { VocabularyEntry } from "../../../shared/vocabularies/vocabulary.schema.ts";
import { genericVocabularyTypes } from "../../../shared/vocabularies/vocabulary.schema.ts";
import { type Answer, type Json, jsonAnswer, noSuchPid, notFound } from "./call.ts";
import { type Context, negotiated, plain, type Route, vendor } from "./route.ts";
import { pageOf } from "./search.ts";
import { entriesOf, textOf } from "./vocabulary-entries.ts";

const named = ["affiliations", "names", "subjects", "funders", "awards"];
const accepts = [plain, vendor];

/** The vendor type gives another, translated form (F15). */
function presentEntry({ site, call }: Context, type: string, entry: VocabularyEntry): Json {
  const generic = !named.includes(type);
  const own = `${site.url}/api/${generic ? `vocabularies/${type}` : type}/${entry.id}`;
  if (negotiated(call.headers.accept, accepts) === vendor && generic) {
    const { title, description, ...rest } = entry;
    return { ...rest, title_l10n: title?.en ?? entry.id, ...(description ? { description_l10n: description.en } : {}) };
  }
  const stamp = site.clock.iso(0);
  const shared = { created: stamp, updated: stamp, revision_id: 1, links: { self: own } };
  return { ...entry, ...(generic ? { type } : {}), ...shared };
}

function list(context: Context, type: string): Answer {
  const { site, query } = context;
  const words = (query.get("suggest") ?? query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const entries = entriesOf(type, site.profile.version).filter((entry) => {
    const text = textOf(entry);
    return words.every((word) => text.includes(word));
  });
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { hits, body } = pageOf(context, sorted, "title");
  return jsonAnswer({
    ...body,
    hits: { hits: hits.map((entry) => presentEntry(context, type, entry)), total: sorted.length },
  });
}

function item(context: Context, type: string): Answer {
  const entry = entriesOf(type, context.site.profile.version).find(({ id }) => id === context.params.id);
  if (!entry) throw noSuchPid();
  return jsonAnswer(presentEntry(context, type, entry));
}

const generic = (context: Context): string => {
  const { type = "" } = context.params;
  if (!(genericVocabularyTypes as readonly string[]).includes(type) || type.includes(":")) throw notFound();
  return type;
};

export const vocabularyRoutes: readonly Route[] = [
  { method: "GET", path: "/api/vocabularies/:type", accepts, run: (context) => list(context, generic(context)) },
  { method: "GET", path: "/api/vocabularies/:type/:id", accepts, run: (context) => item(context, generic(context)) },
  ...named.flatMap((type): Route[] => [
    { method: "GET", path: `/api/${type}`, accepts, run: (context) => list(context, type) },
    { method: "GET", path: `/api/${type}/*id`, accepts, run: (context) => item(context, type) },
  ]),
];
