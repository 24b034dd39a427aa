import type { DraftRow } from "../database/schema.ts";
import type { WriteResult } from "../kernel/host.ts";

const titleOf = (draft: DraftRow): string => {
  const { title }: { title?: unknown } = JSON.parse(draft.metadata);
  return typeof title === "string" && title !== "" ? `“${title}”` : "an untitled draft";
};

/** The effect of a change of a draft's files, with the title of the operation. */
export const fileChange = (draft: DraftRow, words: string): WriteResult<null> => ({
  result: null,
  touched: [{ kind: "family", id: draft.parent_id }],
  object: { kind: "draft", id: draft.id },
  title: `${words} ${titleOf(draft)}`,
});

/** As `fileChange`, when nothing changed. */
export const unchangedFiles = (draft: DraftRow): WriteResult<null> => ({ ...fileChange(draft, ""), touched: [] });
