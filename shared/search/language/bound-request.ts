import type { SearchRequest } from "../search-parameters.ts";
import { tokensOf } from "./analysis.ts";
import type { Catalogue } from "./field.ts";
import { type BoundNode, bindQuery } from "./query-binding.ts";
import { parseQuery } from "./query-parser.ts";
import { type LeafTests, testsOf } from "./value-test.ts";

/** The tree of `q` or `suggest`, bound to a catalogue. @throws Failure 400 for a mistyped value (search 5.5). */
export function boundRequest(request: SearchRequest, catalogue: Catalogue, now: number): BoundNode {
  if (request.suggest !== undefined) return bindSuggest(request.suggest, catalogue, now);
  if (request.q === undefined) return { type: "all", boost: 1 };
  return bindQuery(parseQuery(request.q), catalogue, request.q, now);
}

/** Type-ahead: every word must match, as the beginning of a token of a default field (search 9). */
function bindSuggest(text: string, catalogue: Catalogue, now: number): BoundNode {
  const leaves = text.split(/\s+/).flatMap((word) => suggestLeaves(word, catalogue, now));
  if (leaves.length === 0) return { type: "nothing" };
  return {
    type: "group",
    boost: 1,
    clauses: leaves.map((tests) => ({
      occur: "must",
      node: { type: "leaf", target: { type: "default" }, tests, boost: 1 },
    })),
  };
}

/** A word with an @ is the beginning of an address: its parts must not find the name of a person who hides it. */
function suggestLeaves(word: string, catalogue: Catalogue, now: number): LeafTests[] {
  if (!catalogue.hasPrefixWords || !word.includes("@"))
    return tokensOf(word).map((token) => suggestTests(token, catalogue, now));
  return [{ ...testsOf({ type: "word", text: word }, now), text: undefined, joined: undefined, original: undefined }];
}

function suggestTests(word: string, catalogue: Catalogue, now: number): LeafTests {
  const prefixes = testsOf({ type: "word", text: word }, now, true);
  if (catalogue.hasPrefixWords) return prefixes;
  const text = {
    type: "scan" as const,
    prefix: word,
    isPrefix: true,
    matches: (token: string) => token.startsWith(word),
  };
  const keyword = { ...text, matches: (value: string) => value.toLowerCase().startsWith(word) };
  return { ...prefixes, text, joined: text, original: text, keyword };
}
