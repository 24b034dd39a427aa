import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { changeMembership, type GroupName, membershipsQuery, type Person } from "../../api-client/people.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Busy, InlineNotice, LoadFailure } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { useChange } from "../../components/use-change.ts";
import { useGroupHelp } from "./group-help.ts";
import styles from "./people.module.css";

const grantsAll = (group: string) => group === "superuser-access" || group === "admin";

/** A user's groups. Administrators add and remove, except for themselves (requests 12.1). */
export function Memberships({ id, me, name }: { id: string; me: Person | undefined; name: string }) {
  const { t } = useTranslation();
  const { data, error } = usePageQuery(membershipsQuery(id));
  const isDenied = error instanceof ApiFailure && error.status === 403;
  return (
    <section className={styles.section} aria-labelledby="groups">
      <h2 id="groups">{t("people.groups_and_roles")}</h2>
      {isDenied && <InlineNotice tone="warn">{t("people.denied")}</InlineNotice>}
      {error && !isDenied && <LoadFailure error={error} />}
      {!data && !error && <Busy />}
      {data && (
        <>
          {me?.id === id && data.groups.length > 0 && <p className={styles.note}>{t("people.own_groups")}</p>}
          {data.groups.length === 0 && <p className={styles.note}>{t("people.no_groups")}</p>}
          <ul aria-label={t("people.groups_and_roles")}>
            {data.groups.map((group) => (
              <MembershipRow
                key={group.id}
                id={id}
                group={data.available_groups?.find((one) => one.id === group.id) ?? group}
                mayChange={data.available_groups?.some((one) => one.id === group.id) ?? false}
              />
            ))}
          </ul>
          {data.available_groups && (
            <AddToGroup
              id={id}
              name={name}
              groups={data.available_groups.filter((one) => !data.groups.some((group) => group.id === one.id))}
            />
          )}
        </>
      )}
    </section>
  );
}

function MembershipRow({ id, group, mayChange }: { id: string; group: GroupName; mayChange: boolean }) {
  const { t } = useTranslation();
  const help = useGroupHelp();
  const { data: status } = useQuery(syncStatusQuery);
  const remove = useChange(() => changeMembership(id, group.id, false));
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>{group.name}</span>
        <span className={styles.note}>{help(group)}</span>
      </span>
      {mayChange && (
        <Button
          small
          isDisabled={status?.online === false}
          isPending={remove.isPending}
          aria-label={t("people.take_out", { group: group.name })}
          onPress={() => remove.mutate()}
        >
          {t("action.remove")}
        </Button>
      )}
    </li>
  );
}

function AddToGroup({ id, name, groups }: { id: string; name: string; groups: GroupName[] }) {
  const { t } = useTranslation();
  const help = useGroupHelp();
  const { data: status } = useQuery(syncStatusQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const add = useChange((group: string) => changeMembership(id, group, true), {
    onDone: (_, group) => setChosen((now) => (now === group ? null : now)),
    onSettled: () => setConfirming(false),
  });
  if (groups.length === 0) return <p className={styles.note}>{t("people.in_all")}</p>;
  return (
    <div className={styles.add}>
      <div className={styles.choose}>
        <Select
          label={t("people.add_to")}
          value={chosen}
          onChange={setChosen}
          placeholder={t("people.choose_group")}
          options={groups.map((group) => ({ id: group.id, label: group.name, help: help(group) || undefined }))}
        />
      </div>
      <Button
        isDisabled={chosen === null || status?.online === false}
        isPending={add.isPending}
        onPress={() => chosen && (grantsAll(chosen) ? setConfirming(true) : add.mutate(chosen))}
      >
        {t("action.add")}
      </Button>
      <ConfirmDialog
        title={t("people.all_rights_title", { name })}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => chosen && add.mutate(chosen)}
        isPending={add.isPending}
        confirmLabel={t("action.add")}
        isDangerous
      >
        {t("people.all_rights_body")}
      </ConfirmDialog>
    </div>
  );
}
