import type { Node } from "@tiptap/pm/model";
import { ReplaceStep } from "@tiptap/pm/transform";
import { createDocument, type Editor } from "@tiptap/react";

/** The step that replaces only the part in which two documents differ; undefined if they are equal. */
export function replacementOf(shown: Node, next: Node): ReplaceStep | undefined {
  const from = shown.content.findDiffStart(next.content);
  const ends = shown.content.findDiffEnd(next.content);
  if (from === null || ends === null) return undefined;
  // Repeated letters belong to the common start as well as to the common end.
  const overlap = Math.max(0, from - Math.min(ends.a, ends.b));
  return new ReplaceStep(from, ends.a + overlap, next.slice(from, ends.b + overlap));
}

/**
 * Shows another text in an editor, and reports no change. The cursor stays at its words, and a space at the end of a line
 * stays for the next word.
 */
export function replaceText(editor: Editor, html: string): void {
  const { doc, tr } = editor.state;
  const next = createDocument(html, editor.schema, { preserveWhitespace: true });
  const step = replacementOf(doc, next);
  if (step) editor.view.dispatch(tr.step(step).setMeta("preventUpdate", true));
}
