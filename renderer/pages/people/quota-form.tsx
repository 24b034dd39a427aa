import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AdministeredPerson, setQuota } from "../../api-client/administration.ts";
import { Button } from "../../components/button.tsx";
import { ProgressBar } from "../../components/progress.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { formatBytes, formatDecimal, readDecimal } from "../../format/amounts.ts";
import styles from "../administration/administration.module.css";

const gigabyte = 1_000_000_000;

/** What a user stores, and how much they may. */
export function QuotaForm({ person }: { person: AdministeredPerson }) {
  const { t } = useTranslation();
  const head = useId();
  const { used_bytes, quota_bytes, has_own_quota } = person.storage;
  // What is typed stays when another administrator saves meanwhile.
  const [typed, setTyped] = useState<string>();
  const text = typed ?? formatDecimal(quota_bytes / gigabyte);
  const bytes = Math.round((readDecimal(text) ?? Number.NaN) * gigabyte);
  const isWrong = !Number.isSafeInteger(bytes);
  const save = useChange((to: number | null) => setQuota(person.id, to), {
    onSuccess: () => {
      setTyped(undefined);
      showToast({ tone: "ok", text: t("administration.person.quota_saved") });
    },
  });
  return (
    <section className={styles.section} aria-labelledby={head}>
      <h2 id={head}>{t("administration.person.storage")}</h2>
      <ProgressBar
        label={t("administration.person.used")}
        value={quota_bytes > 0 ? used_bytes / quota_bytes : 1}
        text={t("administration.storage.of", { used: formatBytes(used_bytes), quota: formatBytes(quota_bytes) })}
      />
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) save.mutate(bytes);
        }}
      >
        <TextField
          label={t("administration.person.quota")}
          value={text}
          onChange={setTyped}
          inputMode="decimal"
          problem={isWrong ? t("administration.person.quota_wrong") : undefined}
        />
        <Button type="submit" isPending={save.isPending} isDisabled={isWrong || bytes === quota_bytes}>
          {t("action.save")}
        </Button>
        {has_own_quota && (
          <Button isDisabled={save.isPending} onPress={() => save.mutate(null)}>
            {t("administration.person.quota_default")}
          </Button>
        )}
      </form>
    </section>
  );
}
