import { useTranslation } from "react-i18next";
import { RadioChoice } from "../../components/choice.tsx";
import { useAppearance } from "../../shell/appearance.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { ServerSection } from "./server-section.tsx";
import styles from "./settings.module.css";
import { StorageSection } from "./storage-section.tsx";

/** Appearance, the server, storage. Every change applies at once. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { theme, density, setTheme, setDensity } = useAppearance();
  usePageTitle({ label: t("place.settings") });
  return (
    <div className={styles.page}>
      <h1>{t("place.settings")}</h1>
      <section className={styles.section} aria-labelledby="appearance">
        <h2 id="appearance">{t("settings.appearance")}</h2>
        <div className={styles.choices}>
          <RadioChoice
            label={t("settings.theme")}
            look="segments"
            value={theme}
            onChange={setTheme}
            options={(["system", "light", "dark"] as const).map((id) => ({ id, label: t(`settings.theme_${id}`) }))}
          />
          <RadioChoice
            label={t("settings.density")}
            look="segments"
            value={density}
            onChange={setDensity}
            options={(["comfortable", "compact"] as const).map((id) => ({ id, label: t(`settings.density_${id}`) }))}
          />
        </div>
      </section>
      <ServerSection />
      <StorageSection />
    </div>
  );
}
