import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  changeGrant,
  type Grant,
  type GrantLevel,
  giveGrant,
  grantsQuery,
  revokeFrom,
} from "../../api-client/access.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { ComboBox } from "../../components/combo-box.tsx";
import { LoadFailure } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { showToast } from "../../components/toast-queue.ts";
import { useChange } from "../../components/use-change.ts";
import { nameOrNumber } from "../../format/names.ts";
import { type FoundGrantee, keyOf, useGrantees } from "./grantees.ts";
import styles from "./share.module.css";

const levels = ["view", "preview", "edit", "manage"] as const;

function useLevelOptions() {
  const { t } = useTranslation();
  return levels.map((id) => ({ id, label: t(`share.level.${id}`), help: t(`share.level_help.${id}`) }));
}

/** People and groups with access, and a form to give it to others. */
export function PeopleTab({ id }: { id: string }) {
  const { data: grants = [], error, refetch } = usePageQuery(grantsQuery(id));
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles.panel}>
      {grants.length > 0 && (
        <ul>
          {grants.map((grant) => (
            <li key={keyOf(grant.subject)}>
              <GrantRow id={id} grant={grant} />
            </li>
          ))}
        </ul>
      )}
      <GrantForm id={id} grants={grants} />
    </div>
  );
}

function GrantForm({ id, grants }: { id: string; grants: Grant[] }) {
  const { t } = useTranslation();
  const options = useLevelOptions();
  const { data: status } = useQuery(syncStatusQuery);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<FoundGrantee>();
  const [level, setLevel] = useState<GrantLevel>("view");
  const { found, isLocal, isFetching } = useGrantees(chosen ? "" : text);
  const offered = found.filter((one) => !grants.some(({ subject }) => keyOf(subject) === keyOf(one)));
  const give = useChange(
    ({ type, id: subject }: FoundGrantee) => giveGrant(id, { permission: level, subject: { type, id: subject } }),
    {
      onDone: (_, given) => {
        // Keeps a name that was typed meanwhile.
        setText((now) => (now === given.name ? "" : now));
        setChosen((now) => (now === given ? undefined : now));
      },
    },
  );
  return (
    <div className={styles.form}>
      <ComboBox
        label={t(status?.upstream ? "share.person" : "share.person_or_group")}
        options={offered.map((one) => ({ id: keyOf(one), label: one.name, help: one.help }))}
        selected={chosen ? keyOf(chosen) : null}
        inputValue={text}
        isSettled={chosen !== undefined}
        isListOnly
        isLocal={isLocal}
        isLoading={isFetching}
        onInputChange={(next) => {
          setText(next);
          setChosen(undefined);
        }}
        onChoose={(key) => {
          const one = offered.find((grantee) => keyOf(grantee) === key);
          setChosen(one);
          setText(one?.name ?? "");
        }}
      />
      <Select
        label={t("share.may")}
        value={level}
        onChange={(next) => setLevel(next as GrantLevel)}
        options={options}
      />
      <Button isDisabled={!chosen} isPending={give.isPending} onPress={() => chosen && give.mutate(chosen)}>
        {t("share.give")}
      </Button>
    </div>
  );
}

function GrantRow({ id, grant }: { id: string; grant: Grant }) {
  const { t } = useTranslation();
  const options = useLevelOptions();
  const { subject, permission, sync } = grant;
  const { data: user } = useQuery({ ...userQuery(subject.id), enabled: subject.type === "user" });
  const change = useChange((level: GrantLevel) => changeGrant(id, subject, level));
  const giveBack = useChange(() => giveGrant(id, grant));
  const names = {
    user: () => nameOrNumber(user, subject.id),
    role: () => subject.id,
    system_role: () => t(`share.everyone.${subject.id}`, { defaultValue: subject.id }),
  };
  const name = names[subject.type]();
  const revoke = useChange(() => revokeFrom(id, subject), {
    onDone: () =>
      showToast({
        ...{ tone: "ok", text: t("share.revoked", { name }) },
        action: { label: t("action.undo"), onAction: () => giveBack.mutate() },
      }),
  });
  // Everybody has no address of its own, and a place in the list may be that of another by now.
  const isFixed = subject.type === "system_role";
  return (
    <div className={styles.row}>
      <Avatar name={name} user={user} />
      <div className={`${styles.words} ${styles.who}`} dir="auto">
        {name}
        {subject.type === "role" && <div className={styles.help}>{t("reviewers.group")}</div>}
        {isFixed && <div className={styles.help}>{t(`share.level.${permission}`)}</div>}
      </div>
      {sync && <StateWord state="waiting" />}
      {!isFixed && (
        <div className={styles.may}>
          <Select
            hideLabel
            label={t("share.may_of", { name })}
            value={permission}
            onChange={(next) => next !== permission && change.mutate(next as GrantLevel)}
            isDisabled={change.isPending}
            options={options}
          />
          <IconButton
            small
            icon={X}
            label={t("share.revoke", { name })}
            isPending={revoke.isPending}
            onPress={() => revoke.mutate()}
          />
        </div>
      )}
    </div>
  );
}
