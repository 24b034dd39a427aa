import { type CharacterSet, parseRegex, type RegexTree } from "./regex-parser.ts";

const STEP_LIMIT = 2000;
const CACHE_LIMIT = 500;

export interface RegexMatcher {
  /** The whole value fits. Time grows linearly with the value. */
  matches(value: string): boolean;
  /** What every match begins with. */
  prefix: string;
  tree: RegexTree;
}

type Step = { type: "set"; set: CharacterSet } | { type: "split"; to: number[] } | { type: "accept" };

/**
 * Compiles the regex subset of search 5.3; undefined when the pattern is broken or needs more than
 * 2000 steps once its counters are written out. `fold` is applied to literals.
 */
export function compileRegex(pattern: string, fold?: (text: string) => string): RegexMatcher | undefined {
  const tree = parseRegex(pattern, fold);
  if (tree === undefined || sizeOf(tree) > STEP_LIMIT) return undefined;
  const steps: Step[] = [];
  emit(tree, steps);
  steps.push({ type: "accept" });
  return { matches: automaton(steps), prefix: literalPrefix(tree), tree };
}

function sizeOf(tree: RegexTree): number {
  switch (tree.type) {
    case "set":
      return 1;
    case "sequence":
      return tree.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case "choice":
      return tree.items.reduce((sum, item) => sum + sizeOf(item) + 2, 0);
    case "repeat":
      return (sizeOf(tree.item) + 1) * Math.max(1, tree.min, tree.max ?? tree.min + 1) + 1;
  }
}

function emit(tree: RegexTree, steps: Step[]): void {
  switch (tree.type) {
    case "set":
      steps.push({ type: "set", set: tree.set });
      return;
    case "sequence":
      for (const item of tree.items) emit(item, steps);
      return;
    case "choice": {
      const fork: Step & { type: "split" } = { type: "split", to: [] };
      steps.push(fork);
      const exits = tree.items.map((item) => {
        fork.to.push(steps.length);
        emit(item, steps);
        const exit: Step & { type: "split" } = { type: "split", to: [] };
        steps.push(exit);
        return exit;
      });
      for (const exit of exits) exit.to.push(steps.length);
      return;
    }
    case "repeat":
      emitRepeat(tree, steps);
  }
}

function emitRepeat(tree: RegexTree & { type: "repeat" }, steps: Step[]): void {
  for (let count = 0; count < tree.min; count += 1) emit(tree.item, steps);
  const forks: (Step & { type: "split" })[] = [];
  const optional = tree.max === undefined ? 1 : tree.max - tree.min;
  for (let count = 0; count < optional; count += 1) {
    const fork: Step & { type: "split" } = { type: "split", to: [steps.length + 1] };
    forks.push(fork);
    steps.push(fork);
    const start = steps.length - 1;
    emit(tree.item, steps);
    if (tree.max === undefined) steps.push({ type: "split", to: [start] });
  }
  for (const fork of forks) fork.to.push(steps.length);
}

interface State {
  active: number[];
  isAccepting: boolean;
  next: Map<number, State>;
}

/** Runs all alternatives at once and caches the sets of steps that it has met. */
function automaton(steps: readonly Step[]): (value: string) => boolean {
  const known = new Map<string, State>();
  const stateOf = (entries: Iterable<number>): State => {
    const reached = closure(steps, entries);
    const key = reached.join(",");
    let state = known.get(key);
    if (state === undefined) {
      state = { active: reached, isAccepting: reached.some((at) => steps[at]?.type === "accept"), next: new Map() };
      if (known.size >= CACHE_LIMIT) {
        for (const old of known.values()) old.next.clear();
        known.clear();
      }
      known.set(key, state);
    }
    return state;
  };
  const start = stateOf([0]);
  return (value) => {
    let state = start;
    for (const character of value) {
      const code = character.codePointAt(0) ?? 0;
      let next = state.next.get(code);
      if (next === undefined) {
        next = stateOf(advance(steps, state.active, code));
        if (state.next.size < CACHE_LIMIT) state.next.set(code, next);
      }
      if (next.active.length === 0) return false;
      state = next;
    }
    return state.isAccepting;
  };
}

function* advance(steps: readonly Step[], active: readonly number[], code: number): Generator<number> {
  for (const at of active) {
    const step = steps[at];
    if (step?.type === "set" && contains(step.set, code)) yield at + 1;
  }
}

function closure(steps: readonly Step[], entries: Iterable<number>): number[] {
  const seen = new Set<number>();
  const reached: number[] = [];
  const open = [...entries];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const step = steps[at];
    if (step?.type === "split") open.push(...step.to);
    else if (step !== undefined) reached.push(at);
  }
  return reached.sort((a, b) => a - b);
}

const contains = (set: CharacterSet, code: number): boolean =>
  set.ranges.some(([from, to]) => from <= code && code <= to) !== set.isNegated;

function literalPrefix(tree: RegexTree): string {
  const items = tree.type === "sequence" ? tree.items : [tree];
  let prefix = "";
  for (const item of items) {
    const range =
      item.type === "set" && !item.set.isNegated && item.set.ranges.length === 1 ? item.set.ranges[0] : undefined;
    if (range === undefined || range[0] !== range[1]) break;
    prefix += String.fromCodePoint(range[0]);
  }
  return prefix;
}
