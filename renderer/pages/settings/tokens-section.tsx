import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { revokeToken, type Token, tokensQuery } from "../../api-client/tokens.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { ServerNeeded } from "../../components/server-needed.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatAgo, formatFull } from "../../format/times.ts";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import styles from "./settings.module.css";

/** The user's access tokens, each revocable. */
export function TokensSection() {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const [isAdding, setAdding] = useState(false);
  return (
    <section className={styles.section} id="tokens" aria-labelledby="tokens-head">
      <h2 id="tokens-head">{t("tokens.title")}</h2>
      <p className={styles.help}>{t("tokens.help")}</p>
      {status?.online && <Tokens onAdd={() => setAdding(true)} />}
      <ServerNeeded />
      {isAdding && <NewTokenDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function Tokens({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation();
  const { data, error } = usePageQuery(tokensQuery);
  const [doomed, setDoomed] = useState<Token | null>(null);
  const revoke = useChange(revokeToken, { onSettled: () => setDoomed(null) });
  if (!data) return error ? <InlineNotice tone="warn">{error.message}</InlineNotice> : <Busy />;
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("tokens.name")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("tokens.revoke")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((token) => (
            <tr key={token.id}>
              <td>
                <span className={styles.record}>{token.name}</span>
                <UseNote token={token} />
              </td>
              <td>
                <Button
                  small
                  aria-label={t("tokens.revoke_one", { name: token.name })}
                  onPress={() => setDoomed(token)}
                >
                  {t("tokens.revoke")}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.actions}>
        <Button icon={KeyRound} onPress={onAdd}>
          {t("tokens.add")}
        </Button>
      </div>
      <ConfirmDialog
        title={t("tokens.revoke_title", { name: doomed?.name })}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && revoke.mutate(doomed.id)}
        isPending={revoke.isPending}
        confirmLabel={t("tokens.revoke")}
        isDangerous
      >
        {t("tokens.revoke_body")}
      </ConfirmDialog>
    </>
  );
}

function UseNote({ token: { created, last_used_at, expires_at } }: { token: Token }) {
  const { t } = useTranslation();
  const used = last_used_at ? t("tokens.used", { when: formatAgo(last_used_at) }) : t("tokens.unused");
  const parts = [used, t("tokens.made", { when: formatFull(created) })];
  if (expires_at) parts.push(t("tokens.ends", { when: formatFull(expires_at) }));
  return <span className={styles.note}>{parts.join(" · ")}</span>;
}
