import { useQuery } from "@tanstack/react-query";
import { Bell, BellOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { mutedQuery, setMuted } from "../../api-client/desk.ts";
import { Button } from "../../components/button.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";

/** Mutes the notifications of a request on this computer. */
export function MuteButton({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: muted } = useQuery(mutedQuery);
  const change = useChange((isMuted: boolean) => setMuted(id, isMuted), {
    onSuccess: (_done, isMuted) => showToast({ tone: "ok", text: t(isMuted ? "request.muted" : "request.unmuted") }),
  });
  if (!muted) return null;
  const isMuted = muted.includes(id);
  return (
    <Button small variant="quiet" icon={isMuted ? Bell : BellOff} onPress={() => change.mutate(!isMuted)}>
      {t(isMuted ? "request.unmute" : "request.mute")}
    </Button>
  );
}
