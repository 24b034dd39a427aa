import { Copy, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessLink, createLink, deleteLink, type LinkLevel, linksQuery } from "../../api-client/access.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { LoadFailure } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatEdtf } from "../../format/times.ts";
import styles from "./share.module.css";

const levels = ["view", "preview", "edit"] as const;

/** Access links with server addresses, which others can reach. */
export function LinksTab({ record, server }: { record: RecordBody; server: string | null }) {
  const { t } = useTranslation();
  const { data: links = [], error, refetch } = usePageQuery(linksQuery(record.id));
  const [level, setLevel] = useState<LinkLevel>("view");
  const [until, setUntil] = useState("");
  const create = useChange(
    () => createLink(record.id, { permission: level, description: "", ...(until ? { expires_at: until } : {}) }),
    { showsErrorHere: true },
  );
  const problem = create.error instanceof ApiFailure ? wordsOf(create.error.problems[0]) : undefined;
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  const base = `${server ?? location.origin}/${record.is_published ? "records" : "uploads"}/${record.id}`;
  return (
    <div className={styles.panel}>
      {links.length > 0 && (
        <ul>
          {links.map((link) => (
            <li key={link.id}>
              <LinkRow id={record.id} link={link} address={`${base}?token=${link.token}`} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.form}>
        <Select
          label={t("share.holders")}
          value={level}
          onChange={(id) => setLevel(id as LinkLevel)}
          options={levels.map((id) => ({ id, label: t(`share.level.${id}`), help: t(`share.level_help.${id}`) }))}
        />
        <TextField
          label={t("share.until")}
          type="date"
          value={until}
          onChange={setUntil}
          problem={problem ?? create.error?.message}
        />
        <Button isPending={create.isPending} onPress={() => create.mutate()}>
          {t("share.new_link")}
        </Button>
      </div>
    </div>
  );
}

function LinkRow({ id, link, address }: { id: string; link: AccessLink; address: string }) {
  const { t } = useTranslation();
  const remove = useChange(() => deleteLink(id, link.id));
  const [isAsking, setAsking] = useState(false);
  // A link ends when its day begins, in UTC (records 7.2). InvenioRDM sends an empty text for no end.
  const end = link.expires_at ?? "";
  const isOver = end !== "" && end <= new Date().toISOString().slice(0, 10);
  const until = (date: string) => t(isOver ? "share.ended" : "share.expires", { date: formatEdtf(date) });
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        {t(`share.level.${link.permission}`)}
        <div className={styles.help}>
          {end ? until(end) : t("share.no_expiry")}
          {link.description && ` · ${link.description}`}
        </div>
      </div>
      {link.sync && <StateWord state="waiting" />}
      {!isOver && (
        <Button small icon={Copy} onPress={() => void copyText(address)}>
          {t("share.copy_link")}
        </Button>
      )}
      <IconButton
        small
        icon={Trash2}
        label={t(isOver ? "share.remove_link" : "share.revoke_link")}
        onPress={() => (isOver ? remove.mutate() : setAsking(true))}
      />
      <ConfirmDialog
        title={t("share.revoke_title")}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        confirmLabel={t("tokens.revoke")}
        isPending={remove.isPending}
        isDangerous
      >
        {t("share.revoke_body")}
      </ConfirmDialog>
    </div>
  );
}
