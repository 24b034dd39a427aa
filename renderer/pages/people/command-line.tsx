import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/button.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import styles from "./people.module.css";

/** Quotes a word for a shell. */
export const quoted = (word: string): string =>
  /^[\w@.%+:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command to copy for the server's computer. */
export function CommandLine({ label, command }: { label: string; command: string }) {
  const { t } = useTranslation();
  const copy = () =>
    navigator.clipboard.writeText(command).then(() => showToast({ tone: "ok", text: t("action.copied") }), showFailure);
  return (
    <div className={styles.command}>
      <span>{label}</span>
      <div className={styles.line}>
        <code>{command}</code>
        <IconButton small icon={Copy} label={t("people.copy_command", { label })} onPress={() => void copy()} />
      </div>
    </div>
  );
}
