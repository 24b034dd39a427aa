import { Failure } from "../../kernel/failure.ts";
import type { Catalogue, FieldKind } from "./field.ts";
import { isTextKind } from "./field.ts";
import { type Clause, fieldsOf, type LeafNode, type Occur, type QueryNode } from "./query-tree.ts";
import { type LeafTests, testsOf, textTests } from "./value-test.ts";
import { compileWildcard } from "./wildcard.ts";

/** The fields that a leaf looks in. */
export type FieldTarget =
  | { type: "default" }
  | { type: "path"; path: string; kind: FieldKind }
  | { type: "pattern"; matches(path: string): boolean };

export interface BoundLeaf {
  type: "leaf";
  target: FieldTarget;
  /** Undefined: any value matches. */
  tests: LeafTests | undefined;
  boost: number;
}

export interface BoundGroup {
  type: "group";
  clauses: { occur: Occur; node: BoundNode }[];
  boost: number;
}

/** A tree whose fields are looked up and whose values are read: what the matchers evaluate. */
export type BoundNode = { type: "all"; boost: number } | { type: "nothing" } | BoundGroup | BoundLeaf;

/**
 * Looks up the fields of a tree and reads its values. `now` is in microseconds.
 * @throws Failure 400 when a number, boolean or date field is given something else (search 5.5); its header
 * `Query-Problem` names the field and the kind of value it takes.
 */
export function bindQuery(tree: QueryNode, catalogue: Catalogue, source: string, now: number): BoundNode {
  const resolved = fieldsOf(tree).map((name) => catalogue.resolve?.(name) ?? name);
  const isUnknown = (path: string) => catalogue.isClosed === true && !isPattern(path) && !catalogue.kindOf(path);
  const isPlain = !hidesOnly(tree, catalogue) || resolved.some(isUnknown);
  const whole: QueryNode = isPlain ? { type: "text", text: source } : tree;
  return new Binder(catalogue, now).node(whole) ?? { type: "nothing" };
}

const isPattern = (path: string): boolean => path.includes("*");

/** `_exists_` on a hidden field matches nothing and leaves the rest of the query as it is. */
function hidesOnly(tree: QueryNode, catalogue: Catalogue): boolean {
  if (tree.type === "group") return tree.clauses.every((clause) => hidesOnly(clause.node, catalogue));
  if (tree.type === "exists") return true;
  return !(
    "field" in tree &&
    tree.field !== undefined &&
    catalogue.isHidden(catalogue.resolve?.(tree.field) ?? tree.field)
  );
}

class Binder {
  readonly catalogue: Catalogue;
  readonly now: number;

  constructor(catalogue: Catalogue, now: number) {
    this.catalogue = catalogue;
    this.now = now;
  }

  /** Undefined: the clause is dropped. */
  node(node: QueryNode): BoundNode | undefined {
    const boost = node.boost ?? 1;
    switch (node.type) {
      case "all":
        return { type: "all", boost };
      case "group":
        return this.group(node.clauses, boost);
      case "text": {
        const tests = textTests(node.text, this.now, this.catalogue.hasPrefixWords);
        return tests.isBlank ? undefined : { type: "leaf", target: { type: "default" }, tests, boost };
      }
      case "exists":
        return this.exists(node.field, boost);
      default:
        return this.leaf(node, boost);
    }
  }

  private group(clauses: Clause[], boost: number): BoundNode | undefined {
    const bound = clauses.flatMap(({ occur, node }) => {
      const inner = this.node(node);
      return inner ? [{ occur, node: inner }] : [];
    });
    return bound.length === 0 ? undefined : { type: "group", clauses: bound, boost };
  }

  private exists(field: string, boost: number): BoundNode {
    const path = this.catalogue.resolve?.(field) ?? field;
    if (this.catalogue.isHidden(path)) return { type: "nothing" };
    const fits = pathMatcher(path);
    const matches = (found: string) => fits(found) || prefixesOf(found).some(fits);
    return { type: "leaf", target: { type: "pattern", matches }, tests: undefined, boost };
  }

  private leaf(node: Exclude<LeafNode, { type: "exists" }>, boost: number): BoundNode | undefined {
    const { catalogue } = this;
    const tests = testsOf(node, this.now, catalogue.hasPrefixWords);
    if (node.field === undefined) {
      return tests.isBlank ? undefined : { type: "leaf", target: { type: "default" }, tests, boost };
    }
    const path = catalogue.resolve?.(node.field) ?? node.field;
    if (isPattern(path)) {
      if (tests.isBlank) return undefined;
      return { type: "leaf", target: { type: "pattern", matches: pathMatcher(path) }, tests, boost };
    }
    const kind = catalogue.kindOf(path);
    if (kind === undefined) return { type: "nothing" };
    if (tests.isBlank && isTextKind(kind)) return undefined;
    if (tests[kind] === undefined) throw mistyped(path, kind);
    return { type: "leaf", target: { type: "path", path, kind }, tests, boost };
  }
}

/** The contract fixes the body, so a header names the field: `created;expected=time`. */
function mistyped(path: string, kind: FieldKind): Failure {
  const headers = { "Query-Problem": `${encodeURI(path)};expected=${kind}` };
  return new Failure("invalid", "Invalid query string syntax.", { headers });
}

/** A star stands for any names: `f.*` is every field below f. */
function pathMatcher(pattern: string): (path: string) => boolean {
  if (!isPattern(pattern)) return (path) => path === pattern;
  return compileWildcard(pattern.replace(/[\\?]/g, "\\$&")).matches;
}

/** `a.b.c` lies below `a` and `a.b`. */
function prefixesOf(path: string): string[] {
  const parts = path.split(".");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
}
