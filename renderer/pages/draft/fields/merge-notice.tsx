import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Metadata } from "../../../api-client/record-types.ts";
import { chooseConflict, conflictsQuery } from "../../../api-client/sync.ts";
import { Button } from "../../../components/button.tsx";
import { InlineNotice } from "../../../components/notice.tsx";
import { plainText } from "../../../components/rich-text.tsx";
import { showFailure } from "../../../components/toast-queue.ts";
import { useDraft } from "../draft-context.ts";

const words = (value: unknown): string => {
  if (typeof value === "string") return plainText(value);
  const { title, id } = (value ?? {}) as { title?: { en?: string }; id?: string };
  return title?.en ?? id ?? JSON.stringify(value);
};

/** Inside a field that two people changed: the value that lost, and the choice between the two. */
export function MergeNotice({ field }: { field: keyof Metadata & string }) {
  const { t } = useTranslation();
  const { session } = useDraft();
  const { data } = useQuery(conflictsQuery);
  const choose = useMutation({
    mutationFn: ({ id, side }: { id: string; side: "mine" | "theirs" }) => chooseConflict(id, side),
    onError: showFailure,
  });
  const conflict = data?.hits.hits.find(
    ({ record, path }) => record === session.id && path.replace(/^metadata[./]/, "") === field,
  );
  if (!conflict) return null;
  const { id } = conflict;
  return (
    <InlineNotice
      tone="warn"
      actions={
        <>
          <Button small isPending={choose.isPending} onPress={() => choose.mutate({ id, side: "mine" })}>
            {t("sync.keep_mine")}
          </Button>
          <Button small isPending={choose.isPending} onPress={() => choose.mutate({ id, side: "theirs" })}>
            {t("sync.use_theirs")}
          </Button>
        </>
      }
    >
      {t("draft.conflict", { value: words(conflict.mine) })}
    </InlineNotice>
  );
}
