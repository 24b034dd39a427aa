import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Keeping } from "../../../shared/sync-protocol/keeping.schema.ts";
import { changeKeeping, keepingQuery } from "../../api-client/keeping.ts";
import { Checkbox } from "../../components/choice.tsx";
import { Select } from "../../components/select.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import { formatBytes, formatSpeed } from "../../format/amounts.ts";
import styles from "./settings.module.css";

const none = "none";
const limits = [1, 2, 5, 10, 50, 100, 500].map((gigabytes) => gigabytes * 1e9);
const rates = [50, 200, 1000, 5000, 20_000].map((kilobytes) => kilobytes * 1000);
const numberOf = (id: string) => (id === none ? null : Number(id));

/** The rules and a setter. A change can be undone for a while. */
export function useRules() {
  const { t } = useTranslation();
  const { data: rules } = useQuery(keepingQuery);
  const change = (part: (now: Keeping) => Partial<Keeping>) => {
    changeKeeping(part).then(
      (back) =>
        showToast({
          tone: "ok",
          text: t("keeping.changed"),
          action: { label: t("action.undo"), onAction: () => void changeKeeping(back).catch(showFailure) },
        }),
      showFailure,
    );
  };
  return { rules, change };
}

/** Rules for files available offline and for bandwidth. */
export function KeepingSection() {
  const { t } = useTranslation();
  const { rules, change } = useRules();
  if (!rules) return null;
  const when = (["always", "opened"] as const).map((id) => ({ id, label: t(`keeping.when.${id}`) }));
  const sizes = (values: number[], known: number | null, say: (bytes: number) => string) =>
    [...new Set([...values, ...(known === null ? [] : [known])])]
      .sort((a, b) => a - b)
      .map((bytes) => ({ id: String(bytes), label: say(bytes) }));
  return (
    <section className={styles.section} id="keeping" aria-labelledby="keeping-head">
      <h2 id="keeping-head">{t("keeping.title")}</h2>
      <p className={styles.help}>{t("keeping.help")}</p>
      <div className={styles.form}>
        <Select
          label={t("keeping.own")}
          options={when}
          value={rules.own}
          onChange={(own) => change(() => ({ own: own as Keeping["own"] }))}
        />
        <Select
          label={t("keeping.shared")}
          options={when}
          value={rules.shared}
          onChange={(shared) => change(() => ({ shared: shared as Keeping["shared"] }))}
        />
        <Select
          label={t("keeping.most")}
          description={t("keeping.most_help")}
          options={[{ id: none, label: t("keeping.no_limit") }, ...sizes(limits, rules.most, formatBytes)]}
          value={String(rules.most ?? none)}
          onChange={(id) => change(() => ({ most: numberOf(id) }))}
        />
        <Select
          label={t("keeping.rate")}
          options={[{ id: none, label: t("keeping.whole_line") }, ...sizes(rates, rules.rate, formatSpeed)]}
          value={String(rules.rate ?? none)}
          onChange={(id) => change(() => ({ rate: numberOf(id) }))}
        />
      </div>
      <Checkbox
        isSelected={rules.hold_files}
        onChange={(hold_files) => change(() => ({ hold_files }))}
        help={t("keeping.hold_help")}
      >
        {t("keeping.hold")}
      </Checkbox>
    </section>
  );
}
