import type { Clause, LeafNode, QueryNode } from "../../shared/search/language/query-tree.ts";
import type { Random } from "../support/random.ts";
import { dates, words } from "./corpus.ts";

const fields = [
  "metadata.title",
  "metadata.title.original",
  "metadata.title.keyword",
  "metadata.description",
  "metadata.publisher",
  "metadata.creators.person_or_org.name",
  "metadata.creators.person_or_org.type",
  "metadata.subjects.subject",
  "metadata.subjects.subject.keyword",
  "metadata.*",
  "metadata.creators.*",
  "*",
  "pids.*",
  "pids.doi.identifier",
  "metadata.resource_type.title.en",
  "metadata.resource_type.id",
  "metadata.languages.id",
  "metadata.copyright",
  "nothing.here",
  "metadata.version",
  "id",
  "access.record",
  "files.entries.key",
  "files.*",
  "metadata",
  "metadata.dates",
] as const;
const patterns = [
  "dat*",
  "*science",
  "o?en",
  "c*e",
  "*a*",
  "Stra?e",
  "straß?",
  "open-*",
  "ca?é",
  "??",
  "Data*",
  "10.5281*",
];
const regexes = ["dat(a|e)?", "[a-c].*", "caf.", "Straße", "\\d+", ".{1,2}", "[^a-z]+", "\\w+_\\w"];
const numbers = ["0", "1", "2", "2500", "-1", "1.5", "abc"];
const times = ["2024-05-10", "2024-05", "2024-05-20T10:00:00Z", "now", "now-1d/d", "2024", "foo"];
const days = ["2017", "2018-03", "2019-06-01", "2020/2022", "2024-05-10", "x"];
const strict: readonly (readonly [string, readonly string[]])[] = [
  ["versions.index", numbers],
  ["files.total_bytes", numbers],
  ["created", times],
  ["updated", times],
  ["metadata.publication_date_range", days],
  ["metadata.dates.date_range", days],
  ["is_published", ["true", "false", "yes"]],
  ["versions.is_latest", ["true", "false"]],
  ["metadata.publication_date", dates],
];

function maybe<T extends object>(random: Random, probability: number, value: () => T): T | Record<string, never> {
  return random.chance(probability) ? value() : {};
}

function leaf(random: Random): QueryNode {
  const field = maybe(random, 0.45, () => ({ field: random.of(fields) as string }));
  const word = () => random.of(words);
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
      return { type: "word", text: word(), ...field };
    case 3:
      return { type: "phrase", text: random.list(1, 3, word).join(" "), slop: 0, ...field };
    case 4:
      return { type: "phrase", text: random.list(2, 3, word).join(" "), slop: 1 + random.below(3), ...field };
    case 5:
      return { type: "wildcard", pattern: random.of(patterns), ...field };
    case 6:
      return { type: "fuzzy", text: word(), ...maybe(random, 0.5, () => ({ distance: random.below(3) })), ...field };
    case 7:
      return { type: "regex", pattern: random.of(regexes), ...field };
    case 8:
      return { type: "exists", field: random.of(fields) };
    case 9:
      return random.chance(0.3) ? { type: "all" } : { type: "word", text: word(), boost: 2, ...field };
    case 10: {
      const bound = () => maybe(random, 0.8, () => ({ value: word(), inclusive: random.chance(0.5) }));
      const [lower, upper] = [bound(), bound()];
      return range(random.of(fields), lower, upper);
    }
    default:
      return strictLeaf(random);
  }
}

function strictLeaf(random: Random): QueryNode {
  const [field, values] = random.of(strict);
  // Mostly values that the field can hold: the last of each list is none.
  const value = () =>
    random.chance(0.97) ? (values[random.below(Math.max(1, values.length - 1))] ?? "") : random.of(values);
  if (field === "is_published" || field === "versions.is_latest" || random.chance(0.4)) {
    return { type: "word", text: value(), field } satisfies LeafNode;
  }
  const bound = () =>
    maybe(random, 0.8, () => ({ value: value().replace("2020/2022", "2020"), inclusive: random.chance(0.5) }));
  return range(field, bound(), bound());
}

function range(field: string, lower: object, upper: object): QueryNode {
  const bounds = {
    ...("value" in lower ? { lower: lower as { value: string; inclusive: boolean } } : {}),
    ...("value" in upper ? { upper: upper as { value: string; inclusive: boolean } } : {}),
  };
  return { type: "range", field, ...bounds };
}

/** A tree at random over the words and fields of the corpus. */
export function randomQuery(random: Random, depth = 2): QueryNode {
  if (depth === 0 || random.chance(0.35)) return leaf(random);
  const clauses = random.list(
    1,
    3,
    (): Clause => ({
      occur: random.of(["should", "should", "must", "must_not"]),
      node: randomQuery(random, depth - 1),
    }),
  );
  const [only] = clauses;
  if (clauses.length === 1 && only && only.occur !== "must_not") return only.node;
  return { type: "group", clauses };
}
