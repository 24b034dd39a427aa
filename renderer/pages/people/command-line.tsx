import { useTranslation } from "react-i18next";
import { TextToCopy } from "../../components/text-to-copy.tsx";
import styles from "./people.module.css";

/** Quotes a word for a shell. */
export const quoted = (word: string): string =>
  /^[\w@.%+:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command to copy for the server's computer. */
export function CommandLine({ label, command }: { label: string; command: string }) {
  const { t } = useTranslation();
  return (
    <div className={styles.command}>
      <span>{label}</span>
      <TextToCopy text={command} copyLabel={t("people.copy_command", { label })} />
    </div>
  );
}
