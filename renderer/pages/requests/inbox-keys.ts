import { ArrowDown, ArrowUp, MailOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { markRead } from "../../api-client/sync.ts";
import { showFailure } from "../../components/toast-queue.ts";
import { useCommands } from "../../shell/command-list.ts";
import { goToRow, rowHere } from "../../shell/row-keys.ts";

/** j and k move, e marks the request as read, Enter opens it. */
export function useInboxKeys(unread: ReadonlyMap<string | null, string[]>) {
  const { t } = useTranslation();
  const readHere = () => {
    const news = unread.get(rowHere() ?? "");
    if (news) markRead(news).catch(showFailure);
  };
  useCommands([
    { id: "inbox.next", group: "page", label: t("request.next"), icon: ArrowDown, keys: "j", run: () => goToRow(1) },
    { id: "inbox.last", group: "page", label: t("request.last"), icon: ArrowUp, keys: "k", run: () => goToRow(-1) },
    { id: "inbox.read", group: "page", label: t("request.mark_read"), icon: MailOpen, keys: "e", run: readHere },
  ]);
}
