import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { groupsQuery } from "../../api-client/people.ts";
import type { Reviewer } from "../../api-client/requests.ts";
import { userQuery, usersQuery } from "../../api-client/vocabularies.ts";
import { Avatar } from "../../components/avatar.tsx";
import { IconButton } from "../../components/button.tsx";
import { ComboBox } from "../../components/combo-box.tsx";
import { userName } from "../../format/names.ts";
import styles from "./reviewers.module.css";

/** A reviewer to name, with the name to show. */
export interface NamedReviewer extends Reviewer {
  name: string;
}

export const keyOf = ({ user, group }: Reviewer): string => (user === undefined ? `group:${group}` : `user:${user}`);

/** Finds people and groups by name; the field is empty again after each choice. */
export function ReviewerPicker({
  taken,
  onChoose,
  isRequired = false,
  problem,
}: {
  taken: readonly Reviewer[];
  onChoose: (reviewer: NamedReviewer) => void;
  isRequired?: boolean;
  problem?: string | undefined;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  // The list would open again over the fields below.
  const [isSettled, setSettled] = useState(false);
  const { data: { users, isLocal } = { users: [], isLocal: false }, isFetching } = useQuery(usersQuery(text));
  const { data: groups } = useQuery(groupsQuery(text));
  const found: (NamedReviewer & { help: string })[] = [
    ...users.map((user) => ({ user: user.id, name: userName(user, user.id), help: user.username ?? "" })),
    ...(groups?.body.hits.hits ?? []).map(({ id, name, description }) => ({
      ...{ group: id, name },
      help: description || t("reviewers.group"),
    })),
  ];
  const options = found.filter((one) => !taken.some((other) => keyOf(other) === keyOf(one)));
  return (
    <ComboBox
      label={t("draft.reviewer")}
      description={t("reviewers.help")}
      isRequired={isRequired}
      problem={problem}
      options={options.map((one) => ({ id: keyOf(one), label: one.name, help: one.help }))}
      selected={null}
      inputValue={text}
      isListOnly
      isLocal={isLocal}
      isLoading={isFetching}
      isSettled={isSettled}
      onBlur={() => setSettled(false)}
      onInputChange={(typed) => {
        setText(typed);
        if (typed !== "") setSettled(false);
      }}
      onChoose={(key) => {
        const chosen = options.find((one) => keyOf(one) === key);
        if (!chosen) return;
        const { help: _, ...reviewer } = chosen;
        onChoose(reviewer);
        setText("");
        setSettled(true);
      }}
    />
  );
}

/** A reviewer in a list, with what they decided and a button to remove them. */
export function ReviewerRow({
  name,
  user: id,
  children,
  onRemove,
  isPending = false,
}: {
  name: string;
  /** The id of a person; undefined for a group. */
  user: string | undefined;
  children?: ReactNode;
  onRemove?: (() => void) | undefined;
  isPending?: boolean;
}) {
  const { t } = useTranslation();
  const { data: user } = useQuery({ ...userQuery(id ?? ""), enabled: id !== undefined });
  return (
    <li className={styles.reviewer}>
      <Avatar name={name} user={user} />
      <span className={styles.name} dir="auto">
        {name}
        {id === undefined && <span className={styles.note}> {t("reviewers.group")}</span>}
      </span>
      {children}
      {onRemove && (
        <IconButton small icon={X} label={t("reviewers.remove", { name })} isPending={isPending} onPress={onRemove} />
      )}
    </li>
  );
}
