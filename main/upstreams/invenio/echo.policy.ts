import { isObject, type Json, sameJson } from "../../../shared/kernel/json.ts";
import type { NamedFault } from "./read/faults.schema.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** The faults that an answer names. A text in place of the list is about an upload, not about the draft. */
function faultsIn(errors: unknown): NamedFault[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error) => {
    if (!isObject(error) || !isText(error.field)) return [];
    const { messages } = error as { messages?: unknown };
    return [{ field: error.field, messages: Array.isArray(messages) ? messages.filter(isText) : [] }];
  });
}

/** What became of a saved draft. */
export interface Settled {
  /** What the document holds from now on. */
  input: Json;
  /** Faults of values that were sent and that the server did not store. */
  faults: NamedFault[];
}

const member = (value: Json | undefined, key: string): Json | undefined => {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? (value as Record<string, Json>)[key] : undefined;
};

/** Replaces the value at a path by the one that was sent. A list of another length is taken as a whole. */
function keepSent(answer: Json | undefined, sent: Json | undefined, path: readonly string[]): Json | undefined {
  const [key, ...rest] = path;
  if (sent === undefined) return answer;
  if (key === undefined || answer === undefined) return sent;
  if (Array.isArray(sent)) {
    if (!Array.isArray(answer) || answer.length !== sent.length) return sent;
    return answer.map((item, index) => (String(index) === key ? (keepSent(item, sent[index], rest) ?? null) : item));
  }
  if (!isObject(sent) || !isObject(answer)) return sent;
  const inner = keepSent(member(answer, key), member(sent, key), rest);
  return inner === undefined ? answer : ({ ...(answer as Record<string, Json>), [key]: inner } as Json);
}

export const valueAt = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => member(inner, key), value);

/** Whether `path` equals `outer` or lies below it. */
export const isWithin = (path: readonly string[], outer: readonly string[]): boolean =>
  outer.every((key, index) => path[index] === key);

/** Whether one of the paths lies within the other. */
export const areRelated = (one: readonly string[], other: readonly string[]): boolean =>
  isWithin(one, other) || isWithin(other, one);

/**
 * The content after a save (rules E1 and E2). The answer counts: normal forms, recomputed names, cleaned markup. A value
 * that `errors` names and that the server did not store stays as the user typed it. The next save sends it again.
 */
export function mergeAnswer(sent: Json, answer: Json, errors: unknown): Settled {
  let input: Json = answer;
  const faults: NamedFault[] = [];
  for (const fault of faultsIn(errors)) {
    const path = fault.field.split(".");
    const mine = valueAt(sent, path);
    if (mine === undefined || sameJson(mine, valueAt(answer, path))) continue;
    faults.push(fault);
    input = keepSent(input, sent, path) ?? input;
  }
  return { input, faults };
}

const contentOf = (input: Json, part: string): Record<string, Json> => {
  const value = member(input, part);
  return isObject(value) ? (value as Record<string, Json>) : {};
};

/**
 * Fields that the server dropped without an error, because it does not know them (rule E3). Only whole fields: the parts
 * of a value have forms of the server's own.
 * @param words say so
 */
export function droppedIn(sent: Json, answer: Json, errors: unknown, words: string): NamedFault[] {
  const named = faultsIn(errors).map(({ field }) => field.split("."));
  return ["metadata", "custom_fields"].flatMap((part) => {
    const left = contentOf(answer, part);
    const isDropped = (key: string) =>
      !Object.hasOwn(left, key) && !named.some((path) => areRelated(path, [part, key]));
    return Object.keys(contentOf(sent, part))
      .filter(isDropped)
      .map((key) => ({ field: `${part}.${key}`, messages: [words] }));
  });
}

/** Faults of values that the server still lacks. */
export const stillHeld = (answer: Json, faults: readonly NamedFault[]): NamedFault[] =>
  faults.filter(({ field }) => valueAt(answer, field.split(".")) === undefined);

/** A body of the server, with the values that it did not store and still lacks. */
export const withHeld = (mine: Json, answer: Json, faults: readonly NamedFault[]): Json =>
  mergeAnswer(mine, answer, stillHeld(answer, faults)).input;

/** Values of the user that the server did not store. @returns those that it has otherwise now, or still lacks. */
export function notStored(
  mine: Json,
  answer: Json,
  faults: readonly NamedFault[],
): { path: string[]; mine: unknown; theirs: unknown }[] {
  return faults.flatMap(({ field }) => {
    const path = field.split(".");
    const [own, theirs] = [valueAt(mine, path), valueAt(answer, path)];
    return own === undefined || sameJson(own, theirs) ? [] : [{ path, mine: own, theirs }];
  });
}

/** A value before and after an edit of the user; path and values as JSON. */
interface Changed {
  path: string;
  before: string;
  after: string;
}

/** Values of the user that a later body has exactly as they were before, newest change first. */
export function revertedIn(
  mine: Json,
  answer: Json,
  changes: readonly Changed[],
): { path: string[]; mine: unknown; theirs: unknown }[] {
  const seen = new Set<string>();
  return changes.flatMap(({ path: text, before, after }) => {
    if (seen.has(text)) return [];
    seen.add(text);
    const path = JSON.parse(text) as string[];
    const [own, theirs] = [valueAt(mine, path) ?? null, valueAt(answer, path) ?? null];
    const isReverted =
      before !== after && sameJson(own, JSON.parse(after)) && sameJson(theirs, JSON.parse(before)) && own !== null;
    return isReverted ? [{ path, mine: own, theirs }] : [];
  });
}
