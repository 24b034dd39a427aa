import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseCommunity, submitReview } from "../../api-client/requests.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { useDraft } from "./draft-context.ts";

/** The short name in a pasted address, or the text itself. */
const shortName = (text: string): string => /\/communities\/([^/?#]+)/.exec(text)?.[1] ?? text.trim();

/** Submits a draft to a community of an InvenioRDM, which reviews and publishes it. */
export function CommunityDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { session } = useDraft();
  const isAway = whyAway(useQuery(syncStatusQuery).data) !== undefined;
  const [community, setCommunity] = useState("");
  const [comment, setComment] = useState("");
  const submit = useChange(
    async () => {
      await session.save();
      await chooseCommunity(session.id, shortName(community));
      return submitReview(session.id, comment);
    },
    {
      isSaidHere: true,
      onSuccess: () => showToast({ tone: "ok", text: t("upstream.community.submitted") }),
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
      title={t("upstream.community.title")}
      actions={
        <>
          <Button isDisabled={submit.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button
            variant="primary"
            isDisabled={isAway || shortName(community) === ""}
            isPending={submit.isPending}
            onPress={() => submit.mutate()}
          >
            {t("upstream.community.submit")}
          </Button>
        </>
      }
    >
      <p>{t("upstream.community.body", { name: site })}</p>
      <TextField
        label={t("upstream.community.field")}
        description={t("upstream.community.help")}
        value={community}
        onChange={setCommunity}
      />
      <RichTextEditor label={t("draft.submit_comment")} value={comment} onChange={setComment} short />
      {isAway && <InlineNotice tone="local">{t("upstream.needs_network.decide", { name: site })}</InlineNotice>}
      {submit.error && <InlineNotice tone="danger">{submit.error.message}</InlineNotice>}
    </Dialog>
  );
}
