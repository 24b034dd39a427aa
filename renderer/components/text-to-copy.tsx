import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.tsx";
import styles from "./text-to-copy.module.css";
import { showFailure, showToast } from "./toast-queue.ts";

/** Text to use elsewhere, with a button that copies it. @param copyLabel what the button says to a screen reader */
export function TextToCopy({ text, copyLabel }: { text: string; copyLabel: string }) {
  const { t } = useTranslation();
  const copy = () =>
    navigator.clipboard.writeText(text).then(() => showToast({ tone: "ok", text: t("action.copied") }), showFailure);
  return (
    <div className={styles.box}>
      <code>{text}</code>
      <IconButton small icon={Copy} label={copyLabel} onPress={() => void copy()} />
    </div>
  );
}
