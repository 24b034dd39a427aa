import { Check, CircleDot, Clock, Cloud, LoaderCircle, type LucideIcon, OctagonX, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { translateRefusal } from "../locales/refusals.ts";
import styles from "./state-word.module.css";

/** The sync state of an object. Every screen shows it with the same seven labels. */
export type WorkState = "local" | "waiting" | "sending" | "held" | "needs" | "refused" | "absent";

const icons: Record<WorkState, LucideIcon> = {
  local: CircleDot,
  waiting: Clock,
  sending: LoaderCircle,
  held: Check,
  needs: TriangleAlert,
  refused: OctagonX,
  absent: Cloud,
};

/** The icon and label of a state. `percent` (0 to 100) is shown after "Sending", `reason` after "Refused". */
export function StateWord({
  state,
  percent,
  reason,
}: {
  state: WorkState;
  percent?: number;
  reason?: string | undefined;
}) {
  const { t } = useTranslation();
  const Icon = icons[state];
  const label =
    state === "sending" && percent !== undefined ? t("work.sending_percent", { percent }) : t(`work.${state}`);
  return (
    <span className={`${styles.state} ${styles[state]} ${reason ? styles.wraps : ""}`}>
      <Icon size={state === "local" ? 9 : 13} strokeWidth={2} aria-hidden="true" />
      {label}
      {reason && `: ${translateRefusal(reason)}`}
    </span>
  );
}
