import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Backups, setSchedule } from "../../api-client/administration.ts";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/select.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import styles from "./administration.module.css";

const intervals = ["never", "6", "12", "24", "168"] as const;
const maxKept = 100;

/** When backups are written by themselves, and how many are kept. */
export function ScheduleForm({ schedule }: { schedule: Backups["schedule"] }) {
  const { t } = useTranslation();
  const form = useId();
  const now = schedule.every_hours === null ? "never" : String(schedule.every_hours);
  // What is typed stays when another administrator saves meanwhile.
  const [typed, setTyped] = useState<{ every?: string; keep?: string }>({});
  const { every = now, keep = String(schedule.keep) } = typed;
  const count = /^\d+$/.test(keep.trim()) ? Number(keep) : 0;
  const isWrong = count < 1 || count > maxKept;
  const save = useChange(() => setSchedule({ every_hours: every === "never" ? null : Number(every), keep: count }), {
    onSuccess: () => {
      setTyped({});
      showToast({ tone: "ok", text: t("administration.backup.saved") });
    },
  });
  const others = intervals.some((id) => id === now)
    ? []
    : [{ id: now, label: t("administration.backup.hours", { count: Number(now) }) }];
  return (
    <section className={styles.section} aria-labelledby={form}>
      <h2 id={form}>{t("administration.backup.schedule")}</h2>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) save.mutate();
        }}
      >
        <Select
          label={t("administration.backup.every")}
          value={every}
          onChange={(next) => setTyped((before) => ({ ...before, every: next }))}
          options={[...intervals.map((id) => ({ id, label: t(`administration.backup.interval.${id}`) })), ...others]}
        />
        <TextField
          label={t("administration.backup.keep")}
          value={keep}
          onChange={(next) => setTyped((before) => ({ ...before, keep: next }))}
          inputMode="numeric"
          problem={isWrong ? t("administration.backup.keep_wrong", { count: maxKept }) : undefined}
        />
        <Button
          type="submit"
          isPending={save.isPending}
          isDisabled={isWrong || (every === now && count === schedule.keep)}
        >
          {t("action.save")}
        </Button>
      </form>
    </section>
  );
}
