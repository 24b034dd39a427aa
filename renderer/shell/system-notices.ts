import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { mutedQuery } from "../api-client/desk.ts";
import { queryClient } from "../api-client/query-client.ts";
import { markRead, notificationsQuery } from "../api-client/sync.ts";
import type { Notification as News } from "../api-client/sync-types.ts";
import { userQuery } from "../api-client/vocabularies.ts";
import { userName } from "../format/names.ts";
import { placeOfNotification } from "./notification-place.ts";
import { storedChoice } from "./stored-choice.ts";

const choice = storedChoice<"on" | "off">("carrel.notices", "off");
const maxAtOnce = 3;

/** `refused`: the browser or system does not allow notifications here. */
export type NoticeState = "on" | "off" | "refused";

/** Whether system notifications are on. Only `set` asks for permission. */
export function useSystemNotices(): { state: NoticeState; set: (isOn: boolean) => Promise<void> } {
  const chosen = choice.use();
  const permission = "Notification" in window ? Notification.permission : "denied";
  const set = async (isOn: boolean) => {
    choice.set("off");
    if (isOn && permission === "default") await Notification.requestPermission();
    if (isOn) choice.set("on");
  };
  if (permission === "denied") return { state: "refused", set };
  return { state: chosen === "on" && permission === "granted" ? "on" : "off", set };
}

const isInFront = () => document.visibilityState === "visible" && document.hasFocus();

/** Shows system notifications for others' activity while the page is hidden. */
export function useNewsNotices() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(notificationsQuery);
  const { data: muted = [] } = useQuery(mutedQuery);
  const { state } = useSystemNotices();
  const shownIds = useRef<Set<string>>(null);

  const show = (title: string, tag: string, onOpen: () => void) => {
    const notice = new Notification(title, { tag });
    notice.onclick = () => {
      window.focus();
      onOpen();
      notice.close();
    };
  };
  const showNotice = async (news: News) => {
    const { id, actor, kind, title } = news;
    const user = await queryClient.fetchQuery(userQuery(actor)).catch(() => undefined);
    show(t(`activity.kind.${kind}`, { name: userName(user, t("activity.someone")), title }), id, () => {
      void markRead([id]);
      void navigate(placeOfNotification(news));
    });
  };
  const tell = useEffectEvent((items: News[]) => {
    const known = shownIds.current;
    shownIds.current = new Set(items.map(({ id }) => id));
    if (!known || state !== "on" || isInFront()) return;
    const news = items.filter(({ id, read, request }) => !read && !known.has(id) && !muted.includes(request ?? ""));
    if (news.length <= maxAtOnce) for (const one of news) void showNotice(one);
    else show(t("notices.many", { count: news.length }), "many", () => void navigate({ to: "/activity" }));
  });
  const items = data?.hits.hits;
  useEffect(() => {
    if (items) tell(items);
  }, [items]);
}
