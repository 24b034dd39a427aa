import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { blockingError } from "../../api-client/blocking-error.ts";
import { reviewedQuery } from "../../api-client/desk.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftFilesQuery, draftQuery, recordFilesQuery, recordQuery } from "../../api-client/records.ts";
import { formatFull } from "../../format/times.ts";
import type { Side } from "./comparison.tsx";

/** "Version 2, 3 May 2024 at 14:02", or the draft and when it was last changed. */
export function useSideName() {
  const { t } = useTranslation();
  return ({ is_published, versions, metadata, updated }: RecordBody) =>
    is_published
      ? t("compare.version_of", { index: metadata.version ?? versions.index, when: formatFull(updated) })
      : t("compare.draft_of", { when: formatFull(updated) });
}

/** The draft as the user last reviewed it; null: not reviewed, undefined: not loaded. */
export function useReviewedSide(draftId: string | undefined): Side | null | undefined {
  const { t } = useTranslation();
  const { data } = useQuery({ ...reviewedQuery(draftId ?? ""), enabled: draftId !== undefined });
  return data && { ...data, name: t("compare.since_review", { when: formatFull(data.when) }) };
}

export interface ReadSide {
  side?: Side & { body: RecordBody };
  error: Error | null;
}

/** A published version or a draft with its files; reads nothing without an id. */
export function useSide(id: string | undefined, isDraft: boolean): ReadSide {
  const nameOf = useSideName();
  const body = useQuery({ ...(isDraft ? draftQuery : recordQuery)(id ?? ""), enabled: id !== undefined });
  const hasFiles = body.data?.files.enabled === true;
  const files = useQuery({ ...(isDraft ? draftFilesQuery : recordFilesQuery)(id ?? ""), enabled: hasFiles });
  const error = blockingError(body) ?? blockingError(files);
  if (!body.data || (hasFiles && !files.data)) return { error };
  return { side: { name: nameOf(body.data), body: body.data, files: files.data?.entries ?? [] }, error };
}
