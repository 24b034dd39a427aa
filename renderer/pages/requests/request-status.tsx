import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleX,
  type LucideIcon,
  TimerOff,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RequestStatus, ReviewRequest } from "../../api-client/request-types.ts";
import { Pill, type Tone } from "../../components/pill.tsx";
import { asksForAccess } from "../request/part.ts";

const looks: Record<RequestStatus | "changes_requested", { icon: LucideIcon; tone: Tone }> = {
  draft: { icon: CircleDashed, tone: "neutral" },
  submitted: { icon: CircleDot, tone: "info" },
  changes_requested: { icon: CircleAlert, tone: "warn" },
  accepted: { icon: CircleCheck, tone: "ok" },
  declined: { icon: CircleX, tone: "danger" },
  cancelled: { icon: Ban, tone: "neutral" },
  expired: { icon: TimerOff, tone: "warn" },
};

/** The status in one word. An open request that waits for changes says so; one for access waits for its owner. */
export function RequestStatusPill({
  request,
}: {
  request: Pick<ReviewRequest, "status" | "changes_requested" | "type">;
}) {
  const { t } = useTranslation();
  const status = request.changes_requested ? "changes_requested" : request.status;
  const { icon, tone } = looks[status];
  return (
    <Pill icon={icon} tone={tone}>
      {t(asksForAccess(request) && status === "submitted" ? "request.access.open" : `request.status.${status}`)}
    </Pill>
  );
}
