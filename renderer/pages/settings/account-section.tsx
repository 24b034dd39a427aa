import { useTranslation } from "react-i18next";
import styles from "./settings.module.css";

/** Leads to the server's own page, which works without script: sessions, linked accounts, second factor (web 9). */
export function AccountSection() {
  const { t } = useTranslation();
  return (
    <section className={styles.section} id="account" aria-labelledby="account-head">
      <h2 id="account-head">{t("account.title")}</h2>
      <p className={styles.help}>{t("account.help")}</p>
      <p>
        <a href="/account">{t("account.open")}</a>
      </p>
    </section>
  );
}
