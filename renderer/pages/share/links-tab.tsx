import { useQuery } from "@tanstack/react-query";
import { Copy, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessLink, createLink, deleteLink, type LinkLevel, linksQuery } from "../../api-client/access.ts";
import { blockingError } from "../../api-client/blocking-error.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { copyText } from "../../components/copy-text.ts";
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
  const query = useQuery(linksQuery(record.id));
  const { data: links = [], refetch } = query;
  const error = blockingError(query);
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
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        {t(`share.level.${link.permission}`)}
        <div className={styles.help}>
          {link.expires_at ? t("share.expires", { date: formatEdtf(link.expires_at) }) : t("share.no_expiry")}
          {link.description && ` · ${link.description}`}
        </div>
      </div>
      {link.sync && <StateWord state="waiting" />}
      <Button small icon={Copy} onPress={() => void copyText(address)}>
        {t("share.copy_link")}
      </Button>
      <IconButton small icon={Trash2} label={t("share.revoke_link")} onPress={() => remove.mutate()} />
    </div>
  );
}
