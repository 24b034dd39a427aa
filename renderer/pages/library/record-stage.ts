import type { RecordBody } from "../../api-client/record-types.ts";

/** The stage of a draft or record in our words: the edit of a published record calls itself `published` (records 3.5). */
export const stageOf = ({ is_published, status }: RecordBody) =>
  `record_status.${!is_published && status === "published" ? "editing" : (status as "draft")}` as const;
