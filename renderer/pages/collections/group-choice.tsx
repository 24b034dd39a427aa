import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { groupsQuery } from "../../api-client/people.ts";
import { ComboBox } from "../../components/combo-box.tsx";

interface GroupChoiceProps {
  /** The name of the chosen group. */
  value: string | null;
  onChange: (name: string) => void;
  problem: string | undefined;
}

/** The group that keeps a collection, found by the beginnings of words. */
export function GroupChoice({ value, onChange, problem }: GroupChoiceProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value ?? "");
  const isSettled = text === value;
  const { data, isFetching } = useQuery(groupsQuery(isSettled ? "" : text));
  const groups = data?.body.hits.hits ?? [];
  return (
    <ComboBox
      label={t("collections.group")}
      description={t("collections.group_help")}
      placeholder={t("people.choose_group")}
      options={groups.map(({ name, description }) => ({ id: name, label: name, help: description ?? undefined }))}
      inputValue={text}
      onInputChange={setText}
      onChoose={(name) => {
        onChange(name);
        setText(name);
      }}
      onBlur={() => setText(value ?? "")}
      selected={value}
      isListOnly
      isSettled={isSettled}
      isLoading={isFetching}
      problem={problem}
    />
  );
}
