import { mergeText } from "../documents/text-merge.ts";
import type { CommentDraft, KeptFile } from "./comment-draft.schema.ts";

/**
 * Three-way merge of an unsent comment that two windows change. No text is lost: where both replaced the same characters,
 * the paragraphs of `mine` follow those of `theirs`.
 * @param base the text from which both sides started.
 */
export function mergeCommentDrafts(base: CommentDraft, mine: CommentDraft, theirs: CommentDraft): CommentDraft {
  return {
    content: mergeContent(base.content, mine.content, theirs.content),
    files: mergeFiles(base.files, mine.files, theirs.files),
  };
}

function mergeContent(base: string, mine: string, theirs: string): string {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const { merged, conflict } = mergeText(base, mine, theirs);
  if (!conflict) return merged;
  const known = new Set([...blocksOf(base), ...blocksOf(theirs)]);
  return (
    theirs +
    blocksOf(mine)
      .filter((block) => !known.has(block))
      .join("")
  );
}

const blockTag = /<(\/?)(?:p|blockquote|ul|ol|li|pre|div|table|h[1-6])\b[^>]*>/g;

/** The outermost paragraphs, lists and quotes of an HTML text. Joined, they are the text. */
function blocksOf(html: string): string[] {
  const blocks: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, 1: slash, index } of html.matchAll(blockTag)) {
    depth = Math.max(0, depth + (slash ? -1 : 1));
    if (depth > 0) continue;
    blocks.push(html.slice(start, index + tag.length));
    start = index + tag.length;
  }
  return start < html.length ? [...blocks, html.slice(start)] : blocks;
}

function mergeFiles(base: KeptFile[], mine: KeptFile[], theirs: KeptFile[]): KeptFile[] {
  const idsOf = (files: KeptFile[]) => new Set(files.map(({ id }) => id));
  const [before, own, other] = [idsOf(base), idsOf(mine), idsOf(theirs)];
  return [
    ...theirs.filter(({ id }) => own.has(id) || !before.has(id)),
    ...mine.filter(({ id }) => !other.has(id) && !before.has(id)),
  ];
}
