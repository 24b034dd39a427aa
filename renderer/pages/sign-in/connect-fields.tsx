import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isInsecureAddress } from "../../../shared/sync-protocol/connect.schema.ts";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import type { Credential } from "../../api-client/sync.ts";
import { Checkbox, RadioChoice } from "../../components/choice.tsx";
import { InlineNotice, type NoticeTone } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";

const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
const isInsecure = (text: string) => isAddress(text) && isInsecureAddress(new URL(text));

/** The input to connect to a server. */
export interface ConnectForm {
  server: string;
  way: "password" | "token";
  account: string;
  password: string;
  /** The code of the second factor; empty until the server asks for it. */
  code: string;
  token: string;
  /** The user confirmed an address that is not encrypted. */
  isInsecureAllowed: boolean;
}

/** The sign-in form; `credential` is undefined while something is missing. */
export function useConnectForm(server: string, account: string) {
  const [form, setForm] = useState<ConnectForm>({
    ...{ server, way: "password", account, password: "", code: "", token: "" },
    isInsecureAllowed: false,
  });
  const put = (change: Partial<ConnectForm>) => setForm((before) => ({ ...before, ...change }));
  const [name, token] = [form.account.trim(), form.token.trim()];
  const byPassword =
    name && form.password ? { account: name, password: form.password, code: form.code.trim() } : undefined;
  const given: Credential | undefined = form.way === "token" ? (token ? { token } : undefined) : byPassword;
  const address = form.server.trim();
  const isFine = isAddress(address) && (form.isInsecureAllowed || !isInsecure(address));
  const credential = given && isFine ? { ...given, allow_insecure: form.isInsecureAllowed } : undefined;
  return { form, put, credential };
}

/** The code of the second factor, once the server has asked for it. */
function CodeField({ code, put }: { code: string; put: (change: Partial<ConnectForm>) => void }) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t("sign_in.code")}
      autoComplete="one-time-code"
      value={code}
      onChange={(typed) => put({ code: typed })}
      autoFocus
    />
  );
}

/** Where a token comes from. */
function TokenHelp({ server }: { server: string }) {
  const { t } = useTranslation();
  const page = isAddress(server) ? `${new URL(server).origin}/account/settings/applications/tokens/new/` : undefined;
  return (
    <>
      {t("welcome.token_help")} {t("upstream.token_help")}{" "}
      {page && (
        <a href={page} target="_blank" rel="noreferrer">
          {t("upstream.token_page")}
        </a>
      )}
    </>
  );
}

/** Scrolls into view: out of sight, Enter in a field would seem to do nothing. */
function JoiningError({ error, tone, text }: { error: Error; tone: NoticeTone; text: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next error is shown again.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return (
    <div ref={place}>
      <InlineNotice tone={tone}>{text ?? error.message}</InlineNotice>
    </div>
  );
}

/** Address, then name and password or a token, with the last error below until what it is about is changed. */
export function ConnectFields({
  form,
  put: putInForm,
  joining: { error, reset },
  isAgain = false,
}: {
  form: ConnectForm;
  put: (change: Partial<ConnectForm>) => void;
  joining: { error: Error | null; reset: () => void };
  /** The server is known: asks only for the credential. */
  isAgain?: boolean;
}) {
  const { t } = useTranslation();
  const codeProblem = error instanceof ApiFailure ? error.problems.find(({ field }) => field === "code") : undefined;
  const asksForCode = codeProblem !== undefined;
  const put = (change: Partial<ConnectForm>) => {
    // What asks for a code stays while the code is typed.
    if (error && !("code" in change)) reset();
    putInForm(change);
  };
  const isOdd = form.server.length > 8 && !isAddress(form.server.trim());
  return (
    <>
      <TextField
        label={t("welcome.address")}
        description={t("welcome.address_help")}
        type="url"
        value={form.server}
        onChange={(server) => put({ server, isInsecureAllowed: false })}
        autoFocus={!isAgain}
        problem={isOdd ? t("welcome.bad_address") : undefined}
      />
      {isInsecure(form.server.trim()) && (
        <InlineNotice
          tone="warn"
          title={t("sign_in.insecure_title")}
          actions={
            <Checkbox isSelected={form.isInsecureAllowed} onChange={(isInsecureAllowed) => put({ isInsecureAllowed })}>
              {t("sign_in.insecure")}
            </Checkbox>
          }
        >
          {t("sign_in.insecure_help")}
        </InlineNotice>
      )}
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
          {(asksForCode || form.code !== "") && <CodeField code={form.code} put={put} />}
        </>
      ) : (
        <TextField
          label={t("welcome.token")}
          description={<TokenHelp server={form.server.trim()} />}
          type="password"
          value={form.token}
          onChange={(token) => put({ token })}
        />
      )}
      {error && <JoiningError error={error} tone={asksForCode ? "info" : "danger"} text={wordsOf(codeProblem)} />}
    </>
  );
}
