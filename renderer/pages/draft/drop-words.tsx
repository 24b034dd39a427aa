import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { useChange } from "../../components/use-change.ts";
import { forgetRecent } from "../../shell/recent.ts";
import { useDraftSession } from "./draft-context.ts";
import { endSession } from "./open-sessions.ts";

const link = { small: true, variant: "link" } as const;

/** Deletes what this browser keeps of the draft, once the user has confirmed it. */
export function DropWords({ isLink = false, isDisabled }: { isLink?: boolean; isDisabled: boolean }) {
  const { t } = useTranslation();
  const session = useDraftSession();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const drop = useChange(() => endSession(session), {
    onSuccess: () => forgetRecent(`/uploads/${session.id}`),
    onDone: () => navigate({ to: "/me/uploads" }),
    onSettled: () => setAsked(false),
  });
  return (
    <>
      <Button {...(isLink && link)} isDisabled={isDisabled} onPress={() => setAsked(true)}>
        {t("draft.lost.drop")}
      </Button>
      <ConfirmDialog
        title={t("draft.lost.drop_title")}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => drop.mutate()}
        confirmLabel={t("draft.lost.drop")}
        isPending={drop.isPending}
        isDangerous
      >
        {t("draft.lost.drop_body")}
      </ConfirmDialog>
    </>
  );
}
