import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SyncStatus } from "../../../shared/sync-protocol/sync-status.schema.ts";
import { queryClient } from "../../api-client/query-client.ts";
import { type Credential, connect, disconnect, syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { formatFull } from "../../format/times.ts";
import { ConnectFields, useConnectForm } from "../sign-in/connect-fields.tsx";
import styles from "./settings.module.css";

/** The server: connect, sign in again, disconnect. */
export function ServerSection() {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  if (!status) return null;
  return (
    <section className={styles.section} id="server" aria-labelledby="server-head">
      <h2 id="server-head">{t("settings.server")}</h2>
      {status.server && status.state !== "sign_in" ? (
        <Connected status={status} />
      ) : (
        <ConnectForm key={status.state} status={status} />
      )}
    </section>
  );
}

function Connected({ status }: { status: SyncStatus }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<"keep" | "remove" | null>(null);
  const unsent = status.pending + status.sending + status.rejected;
  const leave = useChange((way: "keep" | "remove") => disconnect(way === "remove", way === "remove" && unsent > 0), {
    onSuccess: () => queryClient.invalidateQueries(),
    onSettled: () => setAsked(null),
  });
  const { upstream } = status;
  return (
    <>
      {upstream && (
        <InlineNotice title={t(`upstream.${upstream.kind}`)}>
          {t("upstream.basic")}
          {upstream.is_practice && ` ${t("upstream.practice_help")}`}
        </InlineNotice>
      )}
      <dl className={styles.facts}>
        <dt>{t("settings.address")}</dt>
        <dd>{status.server}</dd>
        <dt>{t("settings.signed_in_as")}</dt>
        <dd>{status.user?.username ?? "–"}</dd>
        <dt>{t("sync.last_success")}</dt>
        <dd>{status.last_success ? formatFull(status.last_success) : t("sync.never")}</dd>
      </dl>
      <div className={styles.actions}>
        <Button onPress={() => setAsked("keep")}>{t("settings.disconnect")}</Button>
        <Button variant="danger" onPress={() => setAsked("remove")}>
          {t("settings.remove")}
        </Button>
      </div>
      <ConfirmDialog
        title={t("settings.disconnect_title")}
        isOpen={asked === "keep"}
        onClose={() => setAsked(null)}
        onConfirm={() => leave.mutate("keep")}
        isPending={leave.isPending}
        confirmLabel={t("settings.disconnect")}
      >
        {t("settings.disconnect_body", { count: unsent })}
      </ConfirmDialog>
      <ConfirmDialog
        title={t("settings.remove_title")}
        isOpen={asked === "remove"}
        onClose={() => setAsked(null)}
        onConfirm={() => leave.mutate("remove")}
        isPending={leave.isPending}
        confirmLabel={t("settings.remove")}
        isDangerous
      >
        {t("settings.remove_body", { count: unsent })}
      </ConfirmDialog>
    </>
  );
}

function ConnectForm({ status }: { status: SyncStatus }) {
  const { t } = useTranslation();
  const isAgain = status.state === "sign_in";
  const { form, put, credential } = useConnectForm(status.server ?? "", status.user?.username ?? "");
  const joining = useChange((given: Credential) => connect(form.server.trim(), given), {
    showsErrorHere: true,
    onSuccess: () => showToast({ tone: "ok", text: t("settings.connected") }),
  });
  const unsent = status.pending + status.sending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (credential) joining.mutate(credential);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {isAgain ? (
        <InlineNotice tone="warn" title={t("sign_in.again")}>
          {t("sign_in.again_help", { name: status.user?.username, count: unsent })}
        </InlineNotice>
      ) : (
        <p className={styles.help}>{t("settings.server_help")}</p>
      )}
      <ConnectFields form={form} put={put} joining={joining} isAgain={isAgain} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isDisabled={!credential} isPending={joining.isPending}>
          {t(isAgain ? "sync.pill.sign_in" : "settings.connect")}
        </Button>
      </div>
    </form>
  );
}
