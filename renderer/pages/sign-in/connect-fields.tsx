import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Credential } from "../../api-client/sync.ts";
import { RadioChoice } from "../../components/choice.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";

const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text);

/** What a person enters to connect to a server. */
export interface ConnectForm {
  server: string;
  way: "password" | "token";
  account: string;
  password: string;
  token: string;
}

/** The entries of a sign-in; `credential` is undefined until something is missing no longer. */
export function useConnectForm(server: string, account: string) {
  const [form, setForm] = useState<ConnectForm>({ server, way: "password", account, password: "", token: "" });
  const put = (change: Partial<ConnectForm>) => setForm((before) => ({ ...before, ...change }));
  const [name, token] = [form.account.trim(), form.token.trim()];
  const byPassword = name && form.password ? { account: name, password: form.password } : undefined;
  const given: Credential | undefined = form.way === "token" ? (token ? { token } : undefined) : byPassword;
  return { form, put, credential: isAddress(form.server.trim()) ? given : undefined };
}

/** Address, then name and password, or an access token; what the server said to the last try stands below. */
export function ConnectFields({
  form,
  put,
  error,
  isAgain = false,
}: {
  form: ConnectForm;
  put: (change: Partial<ConnectForm>) => void;
  error: Error | null;
  /** The server is known already: only who it is is asked. */
  isAgain?: boolean;
}) {
  const { t } = useTranslation();
  const isOdd = form.server.length > 8 && !isAddress(form.server.trim());
  return (
    <>
      <TextField
        label={t("welcome.address")}
        description={t("welcome.address_help")}
        type="url"
        value={form.server}
        onChange={(server) => put({ server })}
        autoFocus={!isAgain}
        problem={isOdd ? t("welcome.bad_address") : undefined}
      />
      <RadioChoice
        label={t("sign_in.way")}
        look="segments"
        value={form.way}
        onChange={(way) => put({ way: way === "token" ? "token" : "password" })}
        options={[
          { id: "password", label: t("sign_in.by_password") },
          { id: "token", label: t("sign_in.by_token") },
        ]}
      />
      {form.way === "password" ? (
        <>
          <TextField
            label={t("sign_in.account")}
            autoComplete="username"
            value={form.account}
            onChange={(account) => put({ account })}
          />
          <TextField
            label={t("sign_in.password")}
            description={t("sign_in.password_help")}
            type="password"
            autoComplete="current-password"
            value={form.password}
            onChange={(password) => put({ password })}
          />
        </>
      ) : (
        <TextField
          label={t("welcome.token")}
          description={t("welcome.token_help")}
          type="password"
          value={form.token}
          onChange={(token) => put({ token })}
        />
      )}
      {error && <InlineNotice tone="danger">{error.message}</InlineNotice>}
    </>
  );
}
