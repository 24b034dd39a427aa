import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { prepareReview, submitReview } from "../../api-client/requests.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { usersQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { ComboBox } from "../../components/combo-box.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { userName } from "../../format/names.ts";
import { useDraft } from "./draft-context.ts";

/** Requests a review, with a reviewer and a first comment. Accepting it publishes the draft. */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { session } = useDraft();
  const away = whyAway(useQuery(syncStatusQuery).data);
  const [text, setText] = useState("");
  const [receiver, setReceiver] = useState<string>();
  const [comment, setComment] = useState("");
  const { data: users = [], isFetching } = useQuery(usersQuery(receiver ? "" : text));
  const submit = useChange(
    async (user: string) => {
      await session.save();
      await prepareReview(session.id, user);
      return submitReview(session.id, comment);
    },
    {
      isSaidHere: true,
      onSuccess: (request) =>
        showToast({ tone: "ok", text: t(request.sync ? "draft.submit_queued" : "draft.submitted") }),
      onDone: async (request) => {
        onClose();
        await navigate({ to: "/me/requests/$id", params: { id: request.id } });
      },
    },
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isPending={submit.isPending}
      title={t("draft.submit_title")}
      actions={
        <>
          <Button isDisabled={submit.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button
            variant="primary"
            isDisabled={!receiver}
            isPending={submit.isPending}
            onPress={() => receiver && submit.mutate(receiver)}
          >
            {t("draft.submit")}
          </Button>
        </>
      }
    >
      <p>{t("draft.submit_body")}</p>
      <ComboBox
        label={t("draft.reviewer")}
        isRequired
        options={users.map((user) => ({ id: user.id, label: userName(user, user.id), help: user.username }))}
        selected={receiver ?? null}
        inputValue={text}
        isSettled={receiver !== undefined}
        isLoading={isFetching}
        onInputChange={(next) => {
          setText(next);
          setReceiver(undefined);
        }}
        onChoose={(id) => {
          setReceiver(id);
          setText(
            userName(
              users.find((user) => user.id === id),
              id,
            ),
          );
        }}
      />
      <RichTextEditor label={t("draft.submit_comment")} value={comment} onChange={setComment} short />
      {away && <InlineNotice tone="local">{t(`draft.submit_away.${away}`)}</InlineNotice>}
      {submit.error && <InlineNotice tone="danger">{submit.error.message}</InlineNotice>}
    </Dialog>
  );
}
