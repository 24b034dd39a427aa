import { useNavigate } from "@tanstack/react-router";
import { Copy, CopyPlus, PencilLine, Trash2, UserPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { editRecord, newVersion } from "../../api-client/records.ts";
import { Button } from "../../components/button.tsx";
import { Cover } from "../../components/cover.tsx";
import { MenuButton } from "../../components/menu.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatEdtf } from "../../format/times.ts";
import { useNewDraft } from "../../shell/new-draft.ts";
import { ShareDialog } from "../share/share-dialog.tsx";
import styles from "./record.module.css";
import { RecordPeople, RecordPills } from "./record-people.tsx";
import { useRecordRights } from "./record-rights.ts";
import { RemoveDialog } from "./remove-dialog.tsx";

interface RecordHeadProps {
  record: RecordBody;
  title: string;
  /** Without actions in a preview. */
  children?: ReactNode;
}

/** Cover, title, people, facts; below them the actions. */
export function RecordHead({ record, title, children }: RecordHeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.headRow}>
        <div className={styles.headWords}>
          <h1 dir="auto">{title}</h1>
          <RecordPeople people={record.metadata.creators ?? []} />
          <RecordPills record={record} />
          <Embargo embargo={record.access.embargo} />
        </div>
        <Cover record={record} size="page" />
      </div>
      {children}
    </header>
  );
}

/** Until when the record is under embargo, and why. */
function Embargo({ embargo: { active, until, reason } }: { embargo: RecordBody["access"]["embargo"] }) {
  const { t } = useTranslation();
  if (!active || !until) return null;
  return (
    <p className={styles.embargo} dir="auto">
      {t("record.embargoed", { date: formatEdtf(until) })} {reason && t("record.embargo_reason", { reason })}
    </p>
  );
}

/** One primary action; the others stand back. */
export function RecordActions({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mayEdit, mayManage, mayDelete } = useRecordRights(record);
  // The record's public page leads here with `#share`.
  const [asked, setAsked] = useState<"share" | "remove" | null>(location.hash === "#share" ? "share" : null);
  const open = ({ id }: RecordBody) => navigate({ to: "/uploads/$id", params: { id } });
  const edit = useChange(() => editRecord(record.id), { onDone: open });
  const next = useChange(() => newVersion(record.id), { onDone: open });
  const copy = useNewDraft();
  return (
    <div className={styles.actions}>
      {mayEdit && (
        <>
          <Button variant="primary" icon={PencilLine} isPending={edit.isPending} onPress={() => edit.mutate()}>
            {t("record.edit")}
          </Button>
          <Button variant="quiet" icon={CopyPlus} isPending={next.isPending} onPress={() => next.mutate()}>
            {t("record.new_version")}
          </Button>
        </>
      )}
      {mayManage && (
        <Button variant="quiet" icon={UserPlus} onPress={() => setAsked("share")}>
          {t("share.title")}
        </Button>
      )}
      <Button variant="quiet" icon={Copy} isPending={copy.isPending} onPress={() => copy.mutate(record)}>
        {t("record.copy")}
      </Button>
      {mayDelete && (
        <MenuButton
          label={t("record.more")}
          actions={[
            {
              id: "remove",
              label: t("removal.delete"),
              icon: Trash2,
              isDangerous: true,
              onAction: () => setAsked("remove"),
            },
          ]}
        />
      )}
      {asked === "share" && mayManage && <ShareDialog record={record} onClose={() => setAsked(null)} />}
      {asked === "remove" && <RemoveDialog record={record} onClose={() => setAsked(null)} />}
    </div>
  );
}
