import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { draftQuery } from "../../../api-client/records.ts";
import { conflictsQuery, syncStatusQuery } from "../../../api-client/sync.ts";
import type { Conflict } from "../../../api-client/sync-types.ts";
import { userQuery } from "../../../api-client/vocabularies.ts";
import { InlineNotice } from "../../../components/notice.tsx";
import { userName } from "../../../format/names.ts";
import { ConflictChoices } from "../../sync/conflict-choices.tsx";
import { placeOf, usePlaceWords } from "../../sync/conflict-place.ts";
import { useConflictWords } from "../../sync/value-words.ts";
import { useDraftSession } from "../draft-context.ts";

/** In a field with a conflict: the other value, and the choice between them. */
export function MergeNotice({ field }: { field: string }) {
  const session = useDraftSession();
  const { data } = useQuery(conflictsQuery);
  const here = data?.hits.hits.filter((one) => one.record === session.id && placeOf(one).field === field) ?? [];
  return here.map((conflict) => <Notice key={conflict.id} conflict={conflict} />);
}

function Notice({ conflict }: { conflict: Conflict }) {
  const { t } = useTranslation();
  const { data: other } = useQuery({ ...userQuery(conflict.theirs_by ?? ""), enabled: conflict.theirs_by !== null });
  const { data: status } = useQuery(syncStatusQuery);
  const { data: draft } = useQuery(draftQuery(conflict.record));
  const { within } = usePlaceWords()(conflict, draft?.metadata);
  const { mine } = useConflictWords(conflict);
  const isOwn = status?.user?.id === conflict.theirs_by;
  const name = userName(other, t("activity.someone"));
  return (
    <InlineNotice tone="warn" actions={<ConflictChoices conflict={conflict} />}>
      {t(isOwn ? "draft.conflict_own" : "draft.conflict", { name })} {within && `(${within}) `}
      {t("draft.conflict_mine", { value: mine })}
    </InlineNotice>
  );
}
