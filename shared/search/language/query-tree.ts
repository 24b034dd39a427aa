/** The syntax tree of a query (search 5). Each leaf names its own field, also where the query names it only once. */

/** How a clause takes part in its list (search 5.2). */
export type Occur = "should" | "must" | "must_not";

export interface Clause {
  occur: Occur;
  node: QueryNode;
}

interface Leaf {
  /** Dotted path, in which a star matches any names. Absent: the default fields. */
  field?: string;
  /** Multiplies the score, never the set; absent: 1. */
  boost?: number;
}

export interface AllNode {
  type: "all";
  boost?: number;
}

export interface GroupNode {
  type: "group";
  clauses: Clause[];
  boost?: number;
}

export interface WordNode extends Leaf {
  type: "word";
  text: string;
}

export interface PhraseNode extends Leaf {
  type: "phrase";
  text: string;
  /** By how many places in all the words may be moved. 0: adjacent and in order. */
  slop: number;
}

export interface WildcardNode extends Leaf {
  type: "wildcard";
  /** `*` and `?` are wild; a backslash makes the next character literal. */
  pattern: string;
}

export interface FuzzyNode extends Leaf {
  type: "fuzzy";
  text: string;
  /** 0 to 2; absent: by the length of the word. */
  distance?: number;
}

export interface RegexNode extends Leaf {
  type: "regex";
  pattern: string;
}

export interface Bound {
  value: string;
  inclusive: boolean;
}

export interface RangeNode extends Leaf {
  type: "range";
  field: string;
  lower?: Bound;
  upper?: Bound;
}

/** The field, or anything below it, has a value. */
export interface ExistsNode extends Leaf {
  type: "exists";
  field: string;
}

/** A whole query handled as plain text: any of its tokens, over the default fields (search 5.5). */
export interface TextNode {
  type: "text";
  text: string;
  boost?: number;
}

export type LeafNode = WordNode | PhraseNode | WildcardNode | FuzzyNode | RegexNode | RangeNode | ExistsNode;
export type QueryNode = AllNode | GroupNode | TextNode | LeafNode;

/** The fields a tree names, in order of appearance and with repetitions. */
export function fieldsOf(node: QueryNode): string[] {
  if (node.type === "group") return node.clauses.flatMap((clause) => fieldsOf(clause.node));
  return "field" in node && node.field !== undefined ? [node.field] : [];
}
