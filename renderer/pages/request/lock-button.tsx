import { useQuery } from "@tanstack/react-query";
import { Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { setLocked } from "../../api-client/requests.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { ServerNeeded } from "../../components/server-needed.tsx";
import { useChange } from "../../components/use-change.ts";

/** Locks or unlocks a conversation, for reviewers. Only on the server (hosts-and-sync 3). */
export function LockButton({ request }: { request: ReviewRequest }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  // Not by the request: it may be locked or unlocked by somebody else while this asks, or by this before the answer.
  const [asked, setAsked] = useState<"lock" | "unlock" | null>(null);
  const change = useChange((verb: "lock" | "unlock") => setLocked(request.id, verb === "lock"), {
    onSettled: () => setAsked(null),
  });
  const offered = request.is_locked ? "unlock" : "lock";
  const isAway = status !== undefined && !status.online;
  return (
    <>
      <Button small variant="quiet" icon={request.is_locked ? LockOpen : Lock} onPress={() => setAsked(offered)}>
        {t(`request.${offered}`)}
      </Button>
      {asked && (
        <ConfirmDialog
          title={t(`request.${asked}_title`)}
          isOpen
          onClose={() => setAsked(null)}
          onConfirm={() => change.mutate(asked)}
          isPending={change.isPending}
          isDisabled={isAway}
          confirmLabel={t(`request.${asked}`)}
        >
          <p>{t(`request.${asked}_body`)}</p>
          <ServerNeeded />
        </ConfirmDialog>
      )}
    </>
  );
}
