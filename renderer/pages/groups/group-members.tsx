import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { administeredPeopleQuery, peoplePageSize } from "../../api-client/administration.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Busy, LoadFailure } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { PageButtons } from "../administration/page-buttons.tsx";
import styles from "../people/people.module.css";

/** Who is in a group, private and deactivated accounts included. The server answers superusers only. */
export function GroupMembers({ group, onClose }: { group: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = usePageQuery(
    administeredPeopleQuery({ q: "", state: "", role: group, sort: "name", page }),
  );
  const members = data?.hits.hits ?? [];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("people.members_of", { name: group })}
      actions={<Button onPress={onClose}>{t("action.close")}</Button>}
    >
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Busy />}
      {data && members.length === 0 && <p className={styles.note}>{t("people.no_members")}</p>}
      <ul aria-label={t("people.members_of", { name: group })}>
        {members.map((member) => {
          const name = member.profile.full_name || member.username;
          return (
            <li key={member.id}>
              <Link className={styles.row ?? ""} to="/people/$id" params={{ id: member.id }}>
                <Avatar name={name} user={member} />
                <span className={styles.words}>
                  <span className={styles.name}>{name}</span>
                  <span className={styles.note}>{[member.username, member.email].join(" · ")}</span>
                </span>
                {member.is_current_user && <Pill>{t("people.you")}</Pill>}
                {member.state !== "active" && (
                  <Pill tone="warn">{t(`administration.people.state_name.${member.state}`)}</Pill>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
      <PageButtons page={page} size={peoplePageSize} total={data?.hits.total ?? 0} onPage={setPage} />
    </Dialog>
  );
}
