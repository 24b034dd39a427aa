import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/button.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import styles from "./administration.module.css";

/** A link to hand over, with a button that copies it. */
export function CopyLink({ link }: { link: string }) {
  const { t } = useTranslation();
  const copy = () =>
    navigator.clipboard.writeText(link).then(() => showToast({ tone: "ok", text: t("action.copied") }), showFailure);
  return (
    <div className={styles.link}>
      <code>{link}</code>
      <IconButton small icon={Copy} label={t("administration.copy_link")} onPress={() => void copy()} />
    </div>
  );
}
