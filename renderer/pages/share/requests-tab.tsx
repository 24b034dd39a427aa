import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessSettings, changeAccessSettings } from "../../api-client/access.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { ServerNeeded } from "../../components/server-needed.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import styles from "./share.module.css";

const maxDays = 365;

/** Who may ask for access to restricted files, under which conditions (interoperability 14). */
export function RequestsTab({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const [settings, setSettings] = useState<AccessSettings>(record.parent.access.settings);
  const [days, setDays] = useState(String(settings.secret_link_expiration));
  const linkDays = /^\d{1,3}$/.test(days) && Number(days) <= maxDays ? Number(days) : undefined;
  const save = useChange((chosen: AccessSettings) => changeAccessSettings(record.id, chosen), {
    onDone: () => showToast({ tone: "ok", text: t("share.requests.saved") }),
  });
  const set = (change: Partial<AccessSettings>) => setSettings((now) => ({ ...now, ...change }));
  return (
    <div className={styles.panel}>
      <ServerNeeded />
      <p className={styles.help}>{t("share.requests.help")}</p>
      <Checkbox
        isSelected={settings.allow_user_requests}
        onChange={(isAllowed) => set({ allow_user_requests: isAllowed })}
        help={t("share.requests.users_help")}
      >
        {t("share.requests.users")}
      </Checkbox>
      <Checkbox
        isSelected={settings.allow_guest_requests}
        onChange={(isAllowed) => set({ allow_guest_requests: isAllowed })}
        help={t("share.requests.guests_help")}
      >
        {t("share.requests.guests")}
      </Checkbox>
      <TextField
        label={t("share.requests.conditions")}
        rows={3}
        value={settings.accept_conditions_text ?? ""}
        onChange={(text) => set({ accept_conditions_text: text === "" ? null : text })}
      />
      {settings.allow_guest_requests && (
        <TextField
          label={t("share.requests.days")}
          description={t("share.requests.days_help")}
          inputMode="numeric"
          value={days}
          onChange={setDays}
          problem={linkDays === undefined ? t("share.requests.days_wrong", { most: maxDays }) : undefined}
        />
      )}
      <div>
        <Button
          variant="primary"
          isDisabled={linkDays === undefined || status?.online === false}
          isPending={save.isPending}
          onPress={() => linkDays !== undefined && save.mutate({ ...settings, secret_link_expiration: linkDays })}
        >
          {t("share.requests.save")}
        </Button>
      </div>
    </div>
  );
}
