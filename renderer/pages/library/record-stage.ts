import type { RecordBody } from "../../api-client/record-types.ts";
import type { Tone } from "../../components/pill.tsx";

/** The stage of a draft or record. The API calls the edit of a published record `published` (records 3.5). */
export const stageOf = ({ is_published, status }: RecordBody) =>
  `record_status.${!is_published && status === "published" ? "editing" : (status as "draft")}` as const;

/** Stages shown in colour: those of a review. */
export const stageTones: Record<string, Tone> = { in_review: "info", declined: "warn", expired: "warn" };
