import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleCheck, CircleDashed } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Credential, connect, syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { RadioChoice } from "../../components/choice.tsx";
import { useChange } from "../../components/use-change.ts";
import mark from "../../mark.svg";
import { usePageTitle } from "../../shell/page-title.ts";
import { ConnectFields, useConnectForm } from "../sign-in/connect-fields.tsx";
import { OpenLibrary } from "./open-library.tsx";
import styles from "./welcome.module.css";
import { setWelcomed } from "./welcomed.ts";

/**
 * The first start: use this computer only, a server, or an existing library. Shown once; the settings can connect a
 * server later.
 */
export function WelcomePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: status } = useQuery(syncStatusQuery);
  const [choice, setChoice] = useState("local");
  const { form, put, credential } = useConnectForm("", "");
  usePageTitle({ label: t("welcome.title") });
  const open = async () => {
    setWelcomed();
    await navigate({ to: "/me/uploads" });
  };
  const joining = useChange((given: Credential) => connect(form.server.trim(), given), {
    showsErrorHere: true,
    onDone: open,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (choice === "local" || status?.server) void open();
    else if (choice === "server" && credential) joining.mutate(credential);
  };
  const isReady = choice === "local" || credential !== undefined;
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <div className={styles.head}>
          <img src={mark} alt="" />
          <h1>{t("welcome.title")}</h1>
          <p className={styles.lead}>{t("welcome.lead")}</p>
        </div>
        <RadioChoice
          label={t("welcome.choice")}
          look="large"
          value={choice}
          onChange={setChoice}
          options={[
            { id: "local", label: t("welcome.local"), help: t("welcome.local_help") },
            { id: "server", label: t("welcome.server"), help: t("welcome.server_help") },
            { id: "existing", label: t("welcome.existing"), help: t("welcome.existing_help") },
          ]}
        />
        {choice === "existing" ? (
          <div className={styles.fields}>
            <OpenLibrary />
          </div>
        ) : (
          <form className={styles.answer} onSubmit={submit}>
            {choice === "server" && (
              <div className={styles.fields}>
                <ConnectFields form={form} put={put} joining={joining} />
                <CheckLine isReady={isReady && !joining.isError} isAsking={joining.isPending} />
              </div>
            )}
            <div className={styles.foot}>
              <Button type="submit" variant="primary" isDisabled={!isReady} isPending={joining.isPending}>
                {t(choice === "local" ? "welcome.open" : "welcome.connect")}
              </Button>
            </div>
          </form>
        )}
        <details className={styles.more}>
          <summary>{t("welcome.where")}</summary>
          <ul>
            <li>{t("welcome.where_local")}</li>
            <li>{t("welcome.where_server")}</li>
            <li>{t("welcome.where_token")}</li>
          </ul>
        </details>
      </div>
    </main>
  );
}

function CheckLine({ isReady, isAsking }: { isReady: boolean; isAsking: boolean }) {
  const { t } = useTranslation();
  if (!isReady && !isAsking) return null;
  return (
    <span className={`${styles.check} ${isAsking ? "" : styles.good}`} role="status">
      {isAsking ? <CircleDashed size={14} aria-hidden="true" /> : <CircleCheck size={14} aria-hidden="true" />}
      {t(isAsking ? "welcome.connecting" : "welcome.ready")}
    </span>
  );
}
