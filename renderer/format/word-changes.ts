import { diffText } from "../../shared/documents/text-diff.ts";

export interface ChangedPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/** What became of a text, word by word: the parts that are not `added` make the old one, those not `removed` the new. */
export function wordChanges(before: string, after: string): ChangedPart[] {
  const parts: ChangedPart[] = [];
  const push = (kind: ChangedPart["kind"], text: string) => {
    if (text !== "") parts.push({ kind, text });
  };
  let at = 0;
  for (const splice of diffText(before, after)) {
    push("same", before.slice(at, splice.at));
    push("removed", before.slice(splice.at, splice.at + splice.remove));
    push("added", splice.insert);
    at = splice.at + splice.remove;
  }
  push("same", before.slice(at));
  return parts;
}
