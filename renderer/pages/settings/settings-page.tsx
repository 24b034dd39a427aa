import { getRouteApi, Link } from "@tanstack/react-router";
import { Keyboard, SearchX } from "lucide-react";
import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import type { HostFeature } from "../../../shared/host/host.schema.ts";
import { has } from "../../api-client/host.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox, RadioChoice } from "../../components/choice.tsx";
import { EmptyState } from "../../components/notice.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { useLanguage } from "../../locales/start.ts";
import { useAppearance } from "../../shell/appearance.ts";
import { useLetterKeys } from "../../shell/keys.ts";
import { usePageTitle } from "../../shell/page-title.ts";
import { ShortcutSheet } from "../../shell/shortcut-sheet.tsx";
import { AccountSection } from "./account-section.tsx";
import { DraftsSection } from "./drafts-section.tsx";
import { KeepingSection } from "./keeping-section.tsx";
import { NoticesSection } from "./notices-section.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { ServerSection } from "./server-section.tsx";
import styles from "./settings.module.css";
import { StorageSection } from "./storage-section.tsx";
import { TokensSection } from "./tokens-section.tsx";

const route = getRouteApi("/settings/{-$page}");

/** Theme, density and language. */
function AppearanceSection() {
  const { t } = useTranslation();
  const { theme, density, setTheme, setDensity } = useAppearance();
  const { language, setLanguage } = useLanguage();
  return (
    <section className={styles.section} id="appearance" aria-labelledby="appearance-head">
      <h2 id="appearance-head">{t("settings.appearance")}</h2>
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
        <RadioChoice
          label={t("settings.language")}
          look="segments"
          value={language}
          onChange={setLanguage}
          options={[
            { id: "system", label: t("settings.language_system") },
            { id: "en", label: "English" },
            { id: "de", label: "Deutsch" },
          ]}
        />
      </div>
    </section>
  );
}

/** Single-key shortcuts (WCAG 2.1.4) and the sheet of shortcuts. */
function KeyboardSection() {
  const { t } = useTranslation();
  const [areLettersOn, setLetters] = useLetterKeys();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.section} id="keyboard" aria-labelledby="keyboard-head">
      <h2 id="keyboard-head">{t("settings.keyboard")}</h2>
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

/** The sections and their search terms. */
const parts = [
  {
    id: "profile",
    title: "profile.title",
    part: ProfileSection,
    words: ["profile.affiliations", "profile.public", "profile.language", "people.full_name", "creators.orcid"],
  },
  {
    id: "account",
    needs: "sessions",
    title: "account.title",
    part: AccountSection,
    words: ["account.help", "account.open"],
  },
  {
    id: "appearance",
    title: "settings.appearance",
    part: AppearanceSection,
    words: ["settings.theme", "settings.density", "settings.theme_dark", "settings.language"],
  },
  {
    id: "drafts",
    title: "defaults.title",
    part: DraftsSection,
    words: ["defaults.date", "defaults.me", "defaults.licence", "defaults.publisher", "templates.title"],
  },
  {
    id: "server",
    needs: "sync",
    title: "settings.server",
    part: ServerSection,
    words: ["settings.address", "settings.signed_in_as", "settings.connect", "settings.disconnect", "settings.remove"],
  },
  {
    id: "tokens",
    title: "tokens.title",
    part: TokensSection,
    words: ["tokens.help", "tokens.add", "tokens.revoke"],
  },
  {
    id: "keeping",
    needs: "keeping",
    title: "keeping.title",
    part: KeepingSection,
    words: ["keeping.help", "keeping.own", "keeping.shared", "keeping.most", "keeping.rate", "keeping.hold"],
  },
  {
    id: "storage",
    needs: "local_files",
    title: "settings.storage",
    part: StorageSection,
    words: ["settings.storage_help", "settings.free", "storage.location", "storage.move", "storage.largest"],
  },
  { id: "notices", title: "notices.title", part: NoticesSection, words: ["notices.show", "notices.help"] },
  { id: "keyboard", title: "settings.keyboard", part: KeyboardSection, words: ["palette.keys", "palette.letters"] },
] as const satisfies {
  needs?: HostFeature;
  id: string;
  title: string;
  part: ComponentType;
  words: readonly string[];
}[];

/** The settings. Each section has an address, and changes apply at once. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { page } = route.useParams();
  const [text, setText] = useState("");
  const searchText = text.trim().toLocaleLowerCase();
  const offered = parts.filter((part) => !("needs" in part) || has(part.needs));
  const found = offered.filter(({ title, words }) =>
    [title, ...words].some((key) => t(key).toLocaleLowerCase().includes(searchText)),
  );
  const chosen = searchText === "" ? found.filter(({ id }) => id === page) : [];
  const shown = chosen.length > 0 ? chosen : found;
  const crumbs = chosen.map(({ title }) => ({ label: t(title) }));
  usePageTitle({ label: t("place.settings"), ...(chosen.length > 0 ? { to: "/settings" } : {}) }, ...crumbs);
  return (
    <div className={styles.layout}>
      <nav className={styles.parts} aria-label={t("settings.parts")}>
        <SearchField label={t("settings.search")} value={text} onChange={setText} />
        {found.map(({ id, title }) => (
          <Link key={id} to="/settings/{-$page}" params={{ page: id }} replace className={styles.part ?? ""}>
            {t(title)}
          </Link>
        ))}
      </nav>
      <div className={styles.page}>
        <h1>{t("place.settings")}</h1>
        {shown.length === 0 && (
          <EmptyState icon={SearchX} title={t("library.no_hits")}>
            {t("settings.no_hits")}
          </EmptyState>
        )}
        {shown.map(({ id, part: Part }) => (
          <Part key={id} />
        ))}
      </div>
    </div>
  );
}
