import { BookUp, ChevronDown, CopyPlus, FilePlus2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../components/button.tsx";
import { MenuButton } from "../../components/menu.tsx";
import { useCommands } from "../../shell/command-list.ts";
import styles from "./new-draft-buttons.module.css";

interface NewDraftButtonsProps {
  isPending: boolean;
  onNew: () => void;
  onImport: () => void;
  onStartFrom: () => void;
}

/** The button for an empty draft, and a menu of other beginnings. */
export function NewDraftButtons({ isPending, onNew, onImport, onStartFrom }: NewDraftButtonsProps) {
  const { t } = useTranslation();
  useCommands([
    { id: "import", group: "page", label: t("import.many_title"), icon: BookUp, run: onImport },
    { id: "start-from", group: "page", label: t("start_from.title"), icon: CopyPlus, run: onStartFrom },
  ]);
  return (
    <span className={styles.buttons}>
      <Button variant="primary" icon={FilePlus2} isPending={isPending} onPress={onNew}>
        {t("library.new")}
      </Button>
      <MenuButton
        label={t("library.new_from")}
        trigger={<IconButton variant="primary" label={t("library.new_from")} icon={ChevronDown} />}
        actions={[
          { id: "start-from", label: t("start_from.title"), icon: CopyPlus, onAction: onStartFrom },
          { id: "import", label: t("import.many_title"), icon: BookUp, onAction: onImport },
        ]}
      />
    </span>
  );
}
