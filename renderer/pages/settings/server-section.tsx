import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { connect, disconnect, syncStatusQuery } from "../../api-client/sync.ts";
import type { SyncStatus } from "../../api-client/sync-types.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { showFailure, showToast } from "../../components/toast-queue.ts";
import { formatFull } from "../../format/times.ts";
import styles from "./settings.module.css";

/** The server this computer belongs to: connect, sign in again, disconnect and keep everything here. */
export function ServerSection() {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  if (!status) return null;
  return (
    <section className={styles.section} aria-labelledby="server">
      <h2 id="server">{t("settings.server")}</h2>
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
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => disconnect(false, false),
    onError: showFailure,
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t("settings.address")}</dt>
        <dd>{status.server}</dd>
        <dt>{t("settings.signed_in_as")}</dt>
        <dd>{status.user?.username ?? "–"}</dd>
        <dt>{t("sync.last_success")}</dt>
        <dd>{status.last_success ? formatFull(status.last_success) : t("sync.never")}</dd>
      </dl>
      <div className={styles.actions}>
        <Button onPress={() => setAsking(true)}>{t("settings.disconnect")}</Button>
      </div>
      <ConfirmDialog
        title={t("settings.disconnect_title")}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => leave.mutate()}
        isPending={leave.isPending}
        confirmLabel={t("settings.disconnect")}
      >
        {t("settings.disconnect_body", { count: status.pending })}
      </ConfirmDialog>
    </>
  );
}

function ConnectForm({ status }: { status: SyncStatus }) {
  const { t } = useTranslation();
  const [server, setServer] = useState(status.server ?? "");
  const [token, setToken] = useState("");
  const joining = useMutation({
    mutationFn: () => connect(server.trim(), token.trim()),
    onSuccess: () => showToast({ tone: "ok", text: t("settings.connected") }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    joining.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.help}>{t(status.state === "sign_in" ? "sync.sentence.sign_in" : "settings.server_help")}</p>
      <TextField
        label={t("welcome.address")}
        description={t("welcome.address_help")}
        type="url"
        value={server}
        onChange={setServer}
      />
      <TextField
        label={t("welcome.token")}
        description={t("welcome.token_help")}
        type="password"
        value={token}
        onChange={setToken}
      />
      {joining.error && <InlineNotice tone="danger">{joining.error.message}</InlineNotice>}
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isDisabled={!server.trim() || !token.trim()}
          isPending={joining.isPending}
        >
          {t(status.state === "sign_in" ? "sync.pill.sign_in" : "settings.connect")}
        </Button>
      </div>
    </form>
  );
}
