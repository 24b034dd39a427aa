import { Ban, CircleCheck, CircleDashed, CircleDot, CircleX, type LucideIcon, TimerOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RequestStatus } from "../../api-client/request-types.ts";
import { Pill, type Tone } from "../../components/pill.tsx";

const looks: Record<RequestStatus, { icon: LucideIcon; tone: Tone }> = {
  draft: { icon: CircleDashed, tone: "neutral" },
  submitted: { icon: CircleDot, tone: "info" },
  accepted: { icon: CircleCheck, tone: "ok" },
  declined: { icon: CircleX, tone: "danger" },
  cancelled: { icon: Ban, tone: "neutral" },
  expired: { icon: TimerOff, tone: "warn" },
};

export function RequestStatusPill({ status }: { status: RequestStatus }) {
  const { t } = useTranslation();
  const { icon, tone } = looks[status];
  return (
    <Pill icon={icon} tone={tone}>
      {t(`request.status.${status}`)}
    </Pill>
  );
}
