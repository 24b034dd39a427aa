import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chooseCommunity } from "../../api-client/requests.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useSubmission } from "./use-submission.ts";

/** The short name in a pasted address, or the text itself. */
const shortName = (text: string): string => /\/communities\/([^/?#]+)/.exec(text)?.[1] ?? text.trim();

/** Submits a draft to a community of an InvenioRDM, which reviews and publishes it. */
export function CommunityDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const { t } = useTranslation();
  const isAway = whyAway(useQuery(syncStatusQuery).data) !== undefined;
  const [community, setCommunity] = useState("");
  const [comment, setComment] = useState("");
  const submit = useSubmission({
    prepare: (draftId) => chooseCommunity(draftId, shortName(community)),
    comment,
    words: () => t("upstream.community.submitted"),
    onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={community !== "" || comment !== ""}
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
