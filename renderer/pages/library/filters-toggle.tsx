import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/button.tsx";
import { storedChoice } from "../../shell/stored-choice.ts";
import styles from "./library.module.css";

const panel = storedChoice<"open" | "shut">("carrel.filters", "open");

/** Whether the filters are shown in a wide window. */
export const useFilterPanel = () => panel.use() === "open";

/** Shows or hides the filters. */
export function FiltersToggle() {
  const { t } = useTranslation();
  const isOpen = useFilterPanel();
  return (
    <span className={styles.wide}>
      <IconButton
        icon={isOpen ? PanelLeftClose : PanelLeftOpen}
        label={t(isOpen ? "library.hide_filters" : "library.show_filters")}
        aria-expanded={isOpen}
        onPress={() => panel.set(isOpen ? "shut" : "open")}
      />
    </span>
  );
}
