import { Keyboard } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { Checkbox, RadioChoice } from "../../components/choice.tsx";
import { useAppearance } from "../../shell/appearance.ts";
import { useLetterKeys } from "../../shell/keys.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { ShortcutSheet } from "../../shell/shortcut-sheet.tsx";
import { ServerSection } from "./server-section.tsx";
import styles from "./settings.module.css";
import { StorageSection } from "./storage-section.tsx";

/** Whether single keys do something (WCAG 2.1.4), and the sheet of all of them. */
function KeyboardSection() {
  const { t } = useTranslation();
  const [areLettersOn, setLetters] = useLetterKeys();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.section} aria-labelledby="keyboard">
      <h2 id="keyboard">{t("settings.keyboard")}</h2>
      <Checkbox isSelected={areLettersOn} onChange={setLetters} help={t("palette.letters_help")}>
        {t("palette.letters")}
      </Checkbox>
      <div className={styles.actions}>
        <Button icon={Keyboard} onPress={() => setOpen(true)}>
          {t("palette.keys")}
        </Button>
      </div>
      {isOpen && <ShortcutSheet onClose={() => setOpen(false)} />}
    </section>
  );
}

/** Appearance, the server, the keyboard, storage. Every change applies at once. */
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
      <KeyboardSection />
      <StorageSection />
    </div>
  );
}
