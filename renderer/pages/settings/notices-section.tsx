import { useTranslation } from "react-i18next";
import { Checkbox } from "../../components/choice.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useSystemNotices } from "../../shell/system-notices.ts";
import styles from "./settings.module.css";

/** Turns system notifications on. The browser asks for permission. */
export function NoticesSection() {
  const { t } = useTranslation();
  const { state, set } = useSystemNotices();
  return (
    <section className={styles.section} id="notices" aria-labelledby="notices-head">
      <h2 id="notices-head">{t("notices.title")}</h2>
      <Checkbox
        isSelected={state === "on"}
        isDisabled={state === "refused"}
        onChange={(isOn) => void set(isOn).catch(showFailure)}
        help={t(state === "refused" ? "notices.refused" : "notices.help")}
      >
        {t("notices.show")}
      </Checkbox>
    </section>
  );
}
