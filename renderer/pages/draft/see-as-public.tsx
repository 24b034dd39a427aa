import { useNavigate } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { useChange } from "../../components/use-change.ts";
import { useDraftSession } from "./draft-context.ts";

/** Saves the draft, then shows the page that the public will see. */
export function SeeAsPublic() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useDraftSession();
  const see = useChange(() => session.save(), {
    onDone: () => navigate({ to: "/uploads/$id/preview", params: { id: session.id } }),
  });
  return (
    <Button icon={Eye} isPending={see.isPending} onPress={() => see.mutate()}>
      {t("public_view.see")}
    </Button>
  );
}
