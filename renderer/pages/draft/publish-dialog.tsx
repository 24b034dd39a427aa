import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { draftFilesQuery, publishDraft } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { formatBytes } from "../../format/amounts.ts";
import { markArrival } from "../record/arrival.ts";
import styles from "./draft.module.css";
import { changesOf, type DraftContent, isSame } from "./draft-content.ts";
import { useDraft } from "./draft-context.ts";
import { forgetSession } from "./open-sessions.ts";
import { DoiPublisher, PublicationDoi, usePublicationDoi } from "./publish-doi.tsx";
import { SeeAsPublic } from "./see-as-public.tsx";

/** Whether the content has changed since the dialog opened, apart from the publisher, which the dialog fills in. */
function hasChanged(opened: DraftContent, content: DraftContent): boolean {
  const { known, incoming } = changesOf(opened, content);
  const fields = [...Object.keys(known.metadata), ...Object.keys(incoming.metadata)];
  return fields.some((field) => field !== "publisher") || !isSame(opened.access, content.access);
}

/**
 * Shows the error in the corner if the dialog closes by itself, because the draft does not exist any more.
 * @returns closes the dialog for the user. They have read the error then.
 */
function useErrorBeyondDialog(error: Error | null, onClose: () => void): () => void {
  const unread = useRef<Error>(undefined);
  useEffect(() => {
    unread.current = error ?? undefined;
  }, [error]);
  useEffect(
    () => () => {
      if (unread.current) showFailure(unread.current);
    },
    [],
  );
  return () => {
    unread.current = undefined;
    onClose();
  };
}

/** Explains publishing, then publishes. Offline it queues the content that the user sees now. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { session, view } = useDraft();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: files } = useQuery(draftFilesQuery(session.id));
  const away = whyAway(status);
  const site = status?.upstream?.name;
  const entries = files?.entries ?? [];
  const unpublished = away ? "upstream.publish_noted" : "upstream.unsure";
  const queuedWords = site ? unpublished : "draft.publish_queued";
  const publish = useChange(
    async () => {
      await session.save();
      return publishDraft(session.id);
    },
    {
      showsErrorHere: true,
      onSuccess: (body) => {
        if (body.is_published) {
          forgetSession(session.id);
          markArrival(body.id, "published-here");
        } else showToast({ tone: "ok", text: t(queuedWords, { name: site }) });
      },
      onDone: async (body) => {
        onClose();
        if (body.is_published) await navigate({ to: "/records/$id", params: { id: body.id } });
      },
    },
  );
  const close = useErrorBeyondDialog(publish.error, onClose);
  const { content } = view;
  const [opened] = useState(content);
  const { needsPublisher, lacksPublisher } = usePublicationDoi();
  // The field stays while the user fills it in.
  const [lackedPublisher, setLackedPublisher] = useState(false);
  if (lacksPublisher && !lackedPublisher) setLackedPublisher(true);
  const asksPublisher = needsPublisher && lackedPublisher;
  const size = entries.reduce((sum, entry) => sum + (entry.size ?? 0), 0);
  return (
    <Dialog
      isOpen
      onClose={close}
      isPending={publish.isPending}
      title={t("draft.publish_title")}
      actions={
        <>
          <Button isDisabled={publish.isPending} onPress={close}>
            {t("action.cancel")}
          </Button>
          <SeeAsPublic />
          <Button
            variant="primary"
            isDisabled={lacksPublisher}
            isPending={publish.isPending}
            onPress={() => publish.mutate()}
          >
            {t(away ? (site ? "upstream.publish_ready" : `draft.publish_when.${away}`) : "draft.publish")}
          </Button>
        </>
      }
    >
      <p>{t("draft.publish_body")}</p>
      <dl className={styles.facts}>
        <dt>{t("draft.title")}</dt>
        <dd>{content.metadata.title}</dd>
        <dt>{t("files.title")}</dt>
        <dd>
          {content.files.enabled
            ? t("files.usage", { count: entries.length, size: formatBytes(size) })
            : t("files.none")}
        </dd>
        <dt>{t("draft.visibility")}</dt>
        <dd>{t(content.access.record === "restricted" ? "access.restricted" : "access.public")}</dd>
        <dt>{t("draft.doi")}</dt>
        <dd>
          <PublicationDoi />
        </dd>
      </dl>
      {hasChanged(opened, content) && <InlineNotice tone="warn">{t("draft.publish_changed")}</InlineNotice>}
      {asksPublisher && <DoiPublisher />}
      {away && (
        <InlineNotice tone="local">
          {site ? t("upstream.publish_later", { name: site }) : t(`draft.publish_away.${away}`)}
        </InlineNotice>
      )}
      {site && !away && <InlineNotice>{t("upstream.publish_now", { name: site })}</InlineNotice>}
      {publish.error && <Refusal error={publish.error} />}
    </Dialog>
  );
}

function Refusal({ error }: { error: Error }) {
  const problems = error instanceof ApiFailure ? error.problems : [];
  return (
    <InlineNotice tone="danger" title={error.message}>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ field, messages }) => (
            <li key={field}>
              {field}: {messages.join(" ")}
            </li>
          ))}
        </ul>
      )}
    </InlineNotice>
  );
}
