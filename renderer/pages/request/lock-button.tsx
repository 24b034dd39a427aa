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
  const [isConfirming, setConfirming] = useState(false);
  const change = useChange(() => setLocked(request.id, !request.is_locked), { onSettled: () => setConfirming(false) });
  const verb = request.is_locked ? "unlock" : "lock";
  const isAway = status !== undefined && !status.online;
  return (
    <>
      <Button small variant="quiet" icon={request.is_locked ? LockOpen : Lock} onPress={() => setConfirming(true)}>
        {t(`request.${verb}`)}
      </Button>
      <ConfirmDialog
        title={t(`request.${verb}_title`)}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => change.mutate()}
        isPending={change.isPending}
        isDisabled={isAway}
        confirmLabel={t(`request.${verb}`)}
      >
        <p>{t(`request.${verb}_body`)}</p>
        <ServerNeeded />
      </ConfirmDialog>
    </>
  );
}
