import type { Problem, RecordBody } from "../../api-client/record-types.ts";
import type { DraftContent } from "./draft-content.ts";

/** An open draft as its page shows it. */
export interface DraftView {
  body: RecordBody;
  content: DraftContent;
  /** Problems reported by the last save. */
  reported: Problem[];
  state: "saved" | "changed" | "saving" | "failed";
  savedAt: Date | null;
  /** Why the last save failed, until one succeeds. */
  failure: string | null;
  /** The host refused the last save for good: the draft is gone, or closed to this user. */
  isRefused: boolean;
  canUndo: boolean;
  canRedo: boolean;
}
