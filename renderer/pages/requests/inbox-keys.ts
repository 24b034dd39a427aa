import { ArrowDown, ArrowUp, MailOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { markRead } from "../../api-client/sync.ts";
import { showFailure } from "../../components/toast-queue.ts";
import { useCommands } from "../../shell/command-list.ts";

/** What a row of the inbox carries, so that the keys find it: the id of its request. */
export const rowMark = (request: string) => ({ "data-request": request });

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-request]")];

/** The row above or below the one that has the focus; without one, the first. */
function goToRow(step: 1 | -1) {
  const all = rows();
  const here = all.findIndex((row) => row.contains(document.activeElement));
  const next = here === -1 ? all[0] : all[here + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** j and k go through the inbox, e marks what is new in the request at hand as read; Enter opens it. */
export function useInboxKeys(unread: Map<string, string[]>) {
  const { t } = useTranslation();
  const readHere = () => {
    const here = rows().find((row) => row.contains(document.activeElement));
    const news = unread.get(here?.dataset.request ?? "");
    if (news) markRead(news).catch(showFailure);
  };
  useCommands([
    { id: "inbox.next", group: "page", label: t("request.next"), icon: ArrowDown, keys: "j", run: () => goToRow(1) },
    { id: "inbox.last", group: "page", label: t("request.last"), icon: ArrowUp, keys: "k", run: () => goToRow(-1) },
    { id: "inbox.read", group: "page", label: t("request.mark_read"), icon: MailOpen, keys: "e", run: readHere },
  ]);
}
