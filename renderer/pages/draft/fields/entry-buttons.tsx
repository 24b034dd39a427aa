import { Check, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/button.tsx";
import fields from "./fields.module.css";

/** The buttons of a form for one entry: of a new one "Add"; of an existing one "Save" and "Cancel". */
export function EntryButtons({
  isReady,
  onSave,
  onCancel,
}: {
  isReady: boolean;
  onSave: () => void;
  onCancel: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  if (!onCancel)
    return (
      <Button icon={Plus} isDisabled={!isReady} onPress={onSave}>
        {t("action.add")}
      </Button>
    );
  return (
    <div className={fields.buttons}>
      <Button icon={Check} isDisabled={!isReady} onPress={onSave}>
        {t("action.save")}
      </Button>
      <Button variant="quiet" onPress={onCancel}>
        {t("action.cancel")}
      </Button>
    </div>
  );
}
