import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "./button.tsx";
import styles from "./toast.module.css";
import { closeToast, currentToasts, subscribeToasts } from "./toast-queue.ts";

/**
 * The live region for messages: read aloud without moving the focus. React Aria makes all but an open dialog inert; the
 * attribute excepts the messages, so that they are read aloud and can be pressed there too.
 */
export function ToastRegion() {
  const { t } = useTranslation();
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts);
  return (
    <section
      className={styles.region}
      aria-label={t("shell.messages")}
      aria-live="polite"
      data-react-aria-top-layer="true"
    >
      {toasts.map((toast) => (
        <div key={toast.id} className={`${styles.toast} ${styles[toast.tone]}`}>
          {toast.tone === "ok" ? (
            <CircleCheck size={15} aria-hidden="true" />
          ) : (
            <CircleAlert size={15} aria-hidden="true" />
          )}
          <span className={styles.words}>{toast.text}</span>
          {toast.action && (
            <Button
              small
              variant="quiet"
              onPress={() => {
                toast.action?.onAction();
                closeToast(toast.id);
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton small label={t("action.close")} icon={X} onPress={() => closeToast(toast.id)} />
        </div>
      ))}
    </section>
  );
}
