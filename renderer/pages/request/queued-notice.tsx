import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { syncStatusQuery, withdrawOperation } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { queuedDecision } from "./part.ts";

/** A queued decision that can be withdrawn, or a refused one. */
export function QueuedNotice({ request }: { request: ReviewRequest }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const queued = queuedDecision(request);
  const withdraw = useChange(withdrawOperation, {
    onSuccess: () => showToast({ tone: "ok", text: t("request.taken_back") }),
  });
  if (!queued) return null;
  if (request.sync?.state === "rejected")
    return (
      <InlineNotice tone="warn" title={t("work.refused")}>
        {t("request.refused_decision")} <Link to="/sync">{t("request.to_refused")}</Link>
      </InlineNotice>
    );
  const isUnderWay = request.sync?.state === "sending" && status?.online !== false;
  return (
    <InlineNotice
      tone="local"
      title={t(isUnderWay ? "work.sending" : "work.waiting")}
      actions={
        !isUnderWay && (
          <Button small icon={Undo2} isPending={withdraw.isPending} onPress={() => withdraw.mutate(queued.id)}>
            {t("request.take_back")}
          </Button>
        )
      }
    >
      {t(`request.queued.${queued.kind.replace(/^(request|review)\./, "") as "accept"}`, {
        defaultValue: t("request.queued.other"),
      })}
    </InlineNotice>
  );
}
