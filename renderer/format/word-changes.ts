import { diffText, type Splice } from "../../shared/documents/text-diff.ts";

export interface ChangedPart {
  kind: "same" | "removed" | "added";
  text: string;
}

const isInWord = (text: string, at: number) => /\S/.test(text[at - 1] ?? " ") && /\S/.test(text[at] ?? " ");

/** Extends a change to whole words, because half a date is unreadable. */
function widened(before: string, splices: Splice[]): Splice[] {
  const wide: Splice[] = [];
  for (const splice of splices) {
    let { at, remove, insert } = splice;
    const floor = wide.at(-1) ? (wide.at(-1)?.at ?? 0) + (wide.at(-1)?.remove ?? 0) : 0;
    while (at > floor && isInWord(before, at)) {
      at -= 1;
      remove += 1;
      insert = (before[at] ?? "") + insert;
    }
    const next = splices[splices.indexOf(splice) + 1]?.at ?? before.length;
    while (at + remove < next && isInWord(before, at + remove)) {
      insert += before[at + remove] ?? "";
      remove += 1;
    }
    const last = wide.at(-1);
    if (last && last.at + last.remove === at)
      wide[wide.length - 1] = { at: last.at, remove: last.remove + remove, insert: last.insert + insert };
    else wide.push({ at, remove, insert });
  }
  return wide;
}

/** Compares two texts by word. The parts that are not `added` make the old text, those not `removed` the new one. */
export function wordChanges(before: string, after: string): ChangedPart[] {
  const parts: ChangedPart[] = [];
  const push = (kind: ChangedPart["kind"], text: string) => {
    if (text !== "") parts.push({ kind, text });
  };
  let at = 0;
  for (const splice of widened(before, diffText(before, after))) {
    push("same", before.slice(at, splice.at));
    push("removed", before.slice(splice.at, splice.at + splice.remove));
    push("added", splice.insert);
    at = splice.at + splice.remove;
  }
  push("same", before.slice(at));
  return parts;
}
