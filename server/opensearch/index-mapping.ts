import { daysPaths } from "../../shared/search/record-fields.ts";
import { daysField } from "./index-document.ts";

/** Raise it whenever the same rows would give another index. */
export const indexVersion = "1";

/** Which rows an index was made from. */
export interface IndexOrigin {
  version: string;
  library: string;
  /** A restored backup starts a new epoch, so an index of the time before is not used. */
  epoch: string;
}

/** No phrase reaches from one value into the next. */
export const valueGap = 10_000;

const keyword = { type: "keyword" };
/** Only looked for. */
const term = { type: "keyword", doc_values: false };
const flag = { type: "boolean" };
const number = { type: "long" };
/** Our own tokens, separated by blanks. */
const tokens = { type: "text", analyzer: "tokens", position_increment_gap: valueGap };

/**
 * Every path is part of a term, so that custom fields and languages add no fields: `c` holds tokens, `k` keywords and
 * `v` numbers, each after its path; `p` the paths. `t`, `j` and `o` hold the tokens that bare words look for.
 */
const properties: Record<string, object> = {
  kind: keyword,
  ...{ id: keyword, parent: keyword, owner: term },
  ...{ is_latest: flag, is_latest_draft: flag, has_draft: flag, is_public: flag, has_public_files: flag },
  ...{ created: number, updated: number, version_index: number, views: number, downloads: number },
  ...{ access_status: keyword, resource_type: keyword, subtype: keyword, language: keyword },
  ...{ subject: keyword, file_type: keyword },
  ...{ published: { type: "long_range" }, first_year: { type: "integer" }, last_year: { type: "integer" } },
  ...{ t: tokens, j: tokens, o: tokens, c: tokens },
  ...{ k: term, v: term, p: keyword },
  ...Object.fromEntries(daysPaths.map((path) => [daysField(path), { type: "long_range" }])),
  // How far the index follows the rows.
  ...{ seq: number, counted: number, place: { type: "keyword", index: false, doc_values: false } },
};

/** The only name that is written to: under another one the engine would make up an index that was deleted meanwhile. */
export const writtenName = (name: string): string => `${name}-rows`;

/** The settings and the mapping of an index. */
export const indexBody = (name: string, origin: IndexOrigin): object => ({
  aliases: { [writtenName(name)]: {} },
  settings: {
    index: {
      // A refresh comes with each change that is written.
      refresh_interval: "-1",
      // So long a late write of a document that was deleted meanwhile is refused.
      gc_deletes: "1h",
      max_regex_length: 100_000,
      mapping: { total_fields: { limit: 200 } },
    },
    analysis: {
      analyzer: { tokens: { type: "custom", tokenizer: "blanks" } },
      tokenizer: { blanks: { type: "whitespace", max_token_length: 32_766 } },
    },
  },
  mappings: {
    dynamic: "strict",
    _meta: origin,
    // The rows are in the database: only the position has to be read again.
    _source: { includes: ["seq", "counted", "place"] },
    properties,
  },
});
