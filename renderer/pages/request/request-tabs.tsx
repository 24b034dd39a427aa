import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Tabs } from "../../components/tabs.tsx";
import type { QuotedChange } from "../compare/comparison.tsx";
import { ChangesTab } from "./changes-tab.tsx";
import { Conversation } from "./conversation.tsx";
import { focusComposer } from "./focus-composer.ts";
import { asksForAccess, isForeign, maySpeak, type Part } from "./part.ts";
import { QueuedNotice } from "./queued-notice.tsx";
import { quoteOfChange } from "./quote-change.ts";
import styles from "./request.module.css";
import type { Writing } from "./request-ask.tsx";
import { FilesTab, RecordTab, Topic } from "./topic-tabs.tsx";

const route = getRouteApi("/me/requests/$id");
const tabs = ["conversation", "record", "changes", "files"] as const;
type RequestTab = (typeof tabs)[number];

/** Conversation and topic. The address holds the open tab. */
export function RequestTabs({ request, part, writing }: { request: ReviewRequest; part: Part; writing: Writing }) {
  const { t } = useTranslation();
  const { tab: asked = "conversation" } = route.useSearch();
  // The record does not change while access is decided.
  const offered = tabs.filter((id) => id !== "changes" || !asksForAccess(request));
  const tab = offered.find((id) => id === asked) ?? "conversation";
  const navigate = useNavigate({ from: "/me/requests/$id" });
  const { data: status } = useQuery(syncStatusQuery);
  const { editor } = writing;
  const show = (next: RequestTab) =>
    navigate({ search: next === "conversation" ? {} : { tab: next }, hash: "", replace: true });
  const onComment = async (change: QuotedChange) => {
    const address = `${status?.server ?? location.origin}/me/requests/${request.id}?tab=changes`;
    editor.add({ content: quoteOfChange(change, t(`compare.kind.${change.kind}`), address), files: [] });
    focusComposer();
    await show("conversation");
  };
  const speaks = maySpeak(request, part);
  // An InvenioRDM has no comments on a field or file.
  const marks = speaks && !isForeign(request);
  const content: Record<RequestTab, ReactNode> = {
    conversation: <Conversation request={request} writing={writing} />,
    record: <Topic request={request}>{(body) => <RecordTab request={request} body={body} maySpeak={marks} />}</Topic>,
    changes: <Topic request={request}>{(body) => <ChangesTab body={body} {...(speaks ? { onComment } : {})} />}</Topic>,
    files: <Topic request={request}>{(body) => <FilesTab request={request} body={body} maySpeak={marks} />}</Topic>,
  };
  return (
    <Tabs
      label={t("request.tabs")}
      selected={tab}
      onSelect={(next) => void show(next as RequestTab)}
      items={offered.map((id) => ({
        id,
        label: t(`request.${id}`),
        content: (
          <div className={styles.panel}>
            <QueuedNotice request={request} />
            {content[id]}
          </div>
        ),
      }))}
    />
  );
}
