import i18next from "i18next";
import { showToast } from "./toast-queue.ts";

/** Works without a secure connection, where browsers offer no clipboard. @returns whether the text is copied. */
function copyByCommand(text: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("copy", put, { capture: true });
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", put, { capture: true });
  }
}

/** Copies a text and says so. Where the browser refuses, the message has the text to select. */
export async function copyText(text: string): Promise<void> {
  const { t } = i18next;
  const isCopied = window.isSecureContext
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => copyByCommand(text),
      )
    : copyByCommand(text);
  if (isCopied) showToast({ tone: "ok", text: t("action.copied") });
  else showToast({ tone: "danger", text: t("action.not_copied", { text }) });
}
