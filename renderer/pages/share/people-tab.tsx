import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Grant, type GrantLevel, grantsQuery, grantTo, revokeFrom } from "../../api-client/access.ts";
import { blockingError } from "../../api-client/blocking-error.ts";
import { userQuery, usersQuery } from "../../api-client/vocabularies.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { ComboBox } from "../../components/combo-box.tsx";
import { LoadFailure } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { useChange } from "../../components/use-change.ts";
import { nameOrNumber, userName } from "../../format/names.ts";
import styles from "./share.module.css";

const levels = ["view", "preview", "edit", "manage"] as const;

/** Users with grants. */
export function PeopleTab({ id }: { id: string }) {
  const { t } = useTranslation();
  const query = useQuery(grantsQuery(id));
  const { data: grants = [], refetch } = query;
  const error = blockingError(query);
  const [text, setText] = useState("");
  const [user, setUser] = useState<string>();
  const [level, setLevel] = useState<GrantLevel>("view");
  const { data: { users, isLocal } = { users: [], isLocal: false }, isFetching } = useQuery(
    usersQuery(user ? "" : text),
  );
  const grant = useChange((chosen: { user: string; text: string }) => grantTo(id, chosen.user, level), {
    onDone: (_, { user: given, text: name }) => {
      // Keeps a name that was typed meanwhile.
      setText((now) => (now === name ? "" : now));
      setUser((now) => (now === given ? undefined : now));
    },
  });
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles.panel}>
      {grants.length > 0 && (
        <ul>
          {grants.map((one) => (
            <li key={`${one.subject.type}${one.subject.id}`}>
              <GrantRow id={id} grant={one} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.form}>
        <ComboBox
          label={t("share.person")}
          options={users.map((one) => ({ id: one.id, label: userName(one, one.id), help: one.username }))}
          selected={user ?? null}
          inputValue={text}
          isSettled={user !== undefined}
          isListOnly
          isLocal={isLocal}
          isLoading={isFetching}
          onInputChange={(next) => {
            setText(next);
            setUser(undefined);
          }}
          onChoose={(chosen) => {
            setUser(chosen);
            setText(
              userName(
                users.find((one) => one.id === chosen),
                chosen,
              ),
            );
          }}
        />
        <Select
          label={t("share.may")}
          value={level}
          onChange={(next) => setLevel(next as GrantLevel)}
          options={levels.map((one) => ({
            id: one,
            label: t(`share.level.${one}`),
            help: t(`share.level_help.${one}`),
          }))}
        />
        <Button isDisabled={!user} isPending={grant.isPending} onPress={() => user && grant.mutate({ user, text })}>
          {t("share.give")}
        </Button>
      </div>
    </div>
  );
}

function GrantRow({ id, grant }: { id: string; grant: Grant }) {
  const { t } = useTranslation();
  const { subject, permission, sync } = grant;
  const { data } = useQuery({ ...userQuery(subject.id), enabled: subject.type === "user" });
  const revoke = useChange(() => revokeFrom(id, subject.id));
  const name = subject.type === "user" ? nameOrNumber(data, subject.id) : subject.id;
  return (
    <div className={styles.row}>
      <Avatar name={name} user={data} />
      <div className={styles.words}>
        {name}
        <div className={styles.help}>{t(`share.level.${permission}`)}</div>
      </div>
      {sync && <StateWord state="waiting" />}
      {subject.type === "user" && (
        <IconButton small icon={X} label={t("share.revoke", { name })} onPress={() => revoke.mutate()} />
      )}
    </div>
  );
}
