import { frequentWords } from "./record-generator.ts";

/** A word by how frequent it is among the generated records. */
export const word = (rank: number): string => frequentWords[rank % frequentWords.length] ?? "";

/** The parameters of a search; each round uses other words. */
export type QueryOfRound = (round: number) => Record<string, string>;

export const searchKinds: readonly (readonly [name: string, ask: QueryOfRound])[] = [
  ["everything", () => ({})],
  ["one word", (i) => ({ q: word(30 + i * 13) })],
  ["the most frequent word", () => ({ q: word(0) })],
  ["one word, newest", (i) => ({ q: word(30 + i * 13), sort: "newest" })],
  ["two words AND", (i) => ({ q: `${word(i)} AND ${word(100 + i * 37)}` })],
  ["phrase", (i) => ({ q: `"${word(i % 20)} ${word((i * 7) % 40)}"` })],
  [
    "phrase of three words",
    (i) => ({ q: `"${word(i % 10)} ${word((i * 7) % 20)} ${word((i * 3 + Math.floor(i / 20)) % 10)}"` }),
  ],
  ["sloppy phrase", (i) => ({ q: `"${word(i % 20)} ${word((i * 7) % 40)}"~3` })],
  ["three words OR", (i) => ({ q: `${word(i)} ${word(20 + i * 3)} ${word(50 + i * 7)}` })],
  ["prefix", (i) => ({ q: `${word(300 + i * 11).slice(0, 4)}*` })],
  ["fielded", (i) => ({ q: `metadata.title:${word(10 + i * 3)}` })],
  [
    "range",
    (i) => ({ q: `metadata.publication_date:[${1995 + (i % 20)} TO ${2000 + (i % 20) + Math.floor(i / 20)}]` }),
  ],
  ["filters", () => ({ resource_type: "publication::publication-article", language: "eng" })],
  ["wildcard", (i) => ({ q: `*${word(300 + i).slice(1)}` })],
  ["fuzzy", (i) => ({ q: `${word(300 + i)}~` })],
  ["page 100", (i) => ({ q: word(5 + (i % 20)), page: "100" })],
  ["page 100, newest", (i) => ({ q: word(5 + (i % 20)), page: "100", sort: "newest" })],
];
