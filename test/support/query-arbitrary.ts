import fc from "fast-check";
import type { Clause, QueryNode } from "../../shared/search/language/query-tree.ts";

const piece = fc.constantFrom(..."abzAZ09äß.,-+!(){}[]^\"~*?:\\/<>&|' \t", "AND", "OR", "NOT", "TO", "日", "😀");
const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));
const field = fc.option(
  text.filter((name) => name !== "_exists_"),
  { nil: undefined },
);
const anyField = text.filter((name) => name !== "*");
const boost = fc.option(
  fc
    .oneof(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1e6),
    )
    .filter((n) => n !== 1),
  { nil: undefined },
);
const pattern = fc
  .array(fc.oneof(fc.constantFrom("*", "?"), fc.constantFrom("a", "b", "\\*", "\\?", "\\\\", " ", ":", "ä")), {
    minLength: 2,
    maxLength: 6,
  })
  .map((pieces) => pieces.join(""))
  .filter((found) => /(?<!\\)(?:\\\\)*[*?]/.test(found) && !/^\*+$/.test(found));
const bound = fc.option(fc.record({ value: text, inclusive: fc.boolean() }), { nil: undefined });

/** Drops undefined members, as the parser does. */
function present<T extends object>(node: T): T {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as T;
}

const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  fc.record({ type: fc.constant("all" as const), boost }),
  fc.record({ type: fc.constant("word" as const), field, text, boost }),
  fc.record({ type: fc.constant("phrase" as const), field, text, slop: fc.nat(20), boost }),
  fc.record({ type: fc.constant("wildcard" as const), field, pattern, boost }),
  fc.record({
    type: fc.constant("fuzzy" as const),
    field,
    text,
    distance: fc.option(fc.nat(2), { nil: undefined }),
    boost,
  }),
  fc.record({
    type: fc.constant("regex" as const),
    field,
    pattern: fc.constantFrom("a+", "[a-c]*", "a|b", "\\d{2}", "a\\/b"),
    boost,
  }),
  fc.record({ type: fc.constant("range" as const), field: anyField, lower: bound, upper: bound, boost }),
  fc.record({ type: fc.constant("exists" as const), field: text, boost }),
);

/** Any tree that the parser can return, except plain text. */
export const queryTree: fc.Arbitrary<QueryNode> = fc
  .letrec<{ node: QueryNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc
        .record({
          clauses: fc.array(fc.record({ occur: fc.constantFrom("should", "must", "must_not"), node: tie("node") }), {
            minLength: 1,
            maxLength: 4,
          }),
          boost,
        })
        .map(({ clauses, boost: factor }) => group(clauses as Clause[], factor)),
    ),
  }))
  .node.map(clean);

function group(clauses: Clause[], boost: number | undefined): QueryNode {
  const [only] = clauses;
  if (clauses.length > 1 || !only || only.occur === "must_not") return { type: "group", clauses, boost };
  if (only.node.boost !== undefined && boost !== undefined) {
    return { type: "group", clauses: [{ occur: "should", node: only.node }], boost };
  }
  return boost === undefined ? only.node : { ...only.node, boost };
}

function clean(node: QueryNode): QueryNode {
  if (node.type !== "group") return present(node);
  return present({ ...node, clauses: node.clauses.map(({ occur, node: inner }) => ({ occur, node: clean(inner) })) });
}
