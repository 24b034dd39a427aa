import { useNavigate, useSearch } from "@tanstack/react-router";
import { Lock, PencilLine, Plus, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { protectedNames } from "../../../shared/groups/group.schema.ts";
import {
  deleteGroup,
  type Group,
  groupsQuery,
  isSuperuser,
  mayAdminister,
  type Person,
} from "../../api-client/people.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Busy, EmptyState, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { SearchField } from "../../components/text-field.tsx";
import { useChange } from "../../components/use-change.ts";
import { useTypedText } from "../library/library-search.ts";
import { useGroupHelp } from "../people/group-help.ts";
import styles from "../people/people.module.css";
import { GroupDialog } from "./group-dialog.tsx";
import { GroupMembers } from "./group-members.tsx";

/** The groups that the user may see. Administrators create, describe and delete them (requests 11). */
export function GroupList({ mayChange, person }: { mayChange: boolean; person: Person | undefined }) {
  const { t } = useTranslation();
  const { q = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const toAddress = (text: string) => (now: object) => ({ ...now, q: text || undefined });
  const typed = useTypedText(q, (text) => void navigate({ to: ".", search: toAddress(text), replace: true }));
  const [edited, setEdited] = useState<Group | "new" | null>(null);
  const [doomed, setDoomed] = useState<Group | null>(null);
  const [opened, setOpened] = useState<Group | null>(null);
  const { data, error, refetch } = usePageQuery(groupsQuery(typed.value));
  const remove = useChange((group: Group) => deleteGroup(group.name), { onSettled: () => setDoomed(null) });
  const groups = data?.body.hits.hits ?? [];
  const total = data?.body.hits.total ?? 0;
  return (
    <div className={styles.panel}>
      <div className={styles.tools}>
        <div className={styles.search}>
          <SearchField label={t("people.search_groups")} {...typed} />
        </div>
        {mayChange && (
          <Button icon={Plus} onPress={() => setEdited("new")}>
            {t("people.new_group")}
          </Button>
        )}
      </div>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Busy />}
      {data && groups.length === 0 && (
        <EmptyState icon={Users} title={t("people.no_group")}>
          {t("people.no_group_help")}
        </EmptyState>
      )}
      <ul aria-label={t("people.groups")}>
        {groups.map((group) => (
          <GroupRow
            key={group.id}
            group={group}
            mayChange={mayChange && (group.is_managed || isSuperuser(person))}
            onMembers={isSuperuser(person) ? () => setOpened(group) : undefined}
            onEdit={() => setEdited(group)}
            onDelete={() => setDoomed(group)}
          />
        ))}
      </ul>
      {total > groups.length && <p className={styles.count}>{t("people.more", { shown: groups.length, total })}</p>}
      {person && !isSuperuser(person) && (
        <p className={styles.count}>
          {t(mayAdminister(person) ? "people.members_by_person" : "people.members_private")}
        </p>
      )}
      {opened && <GroupMembers group={opened.name} onClose={() => setOpened(null)} />}
      {edited && <GroupDialog group={edited === "new" ? undefined : edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        title={t("people.delete_group_title", { name: doomed?.name })}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && remove.mutate(doomed)}
        isPending={remove.isPending}
        confirmLabel={t("action.delete")}
        isDangerous
      >
        {t("people.delete_group_body")}
      </ConfirmDialog>
    </div>
  );
}

function GroupRow({
  group,
  mayChange,
  onMembers,
  onEdit,
  onDelete,
}: {
  group: Group;
  mayChange: boolean;
  onMembers: (() => void) | undefined;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { t } = useTranslation();
  const help = useGroupHelp();
  const isProtected = protectedNames.includes(group.name);
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>{group.name}</span>
        <span className={styles.note}>{help(group)}</span>
      </span>
      {isProtected && <Pill icon={Lock}>{t("people.protected")}</Pill>}
      {!group.is_managed && <Pill>{t("people.unmanaged")}</Pill>}
      {onMembers && (
        <Button small aria-label={t("people.members_of", { name: group.name })} onPress={onMembers}>
          {t("people.members")}
        </Button>
      )}
      {mayChange && !isProtected && (
        <span>
          <IconButton small icon={PencilLine} label={t("people.describe", { name: group.name })} onPress={onEdit} />
          <IconButton small icon={Trash2} label={t("people.delete_group", { name: group.name })} onPress={onDelete} />
        </span>
      )}
    </li>
  );
}
