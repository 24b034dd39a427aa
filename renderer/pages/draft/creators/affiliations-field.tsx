import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Affiliation } from "../../../api-client/record-types.ts";
import { affiliationsQuery } from "../../../api-client/vocabularies.ts";
import { ComboBox } from "../../../components/combo-box.tsx";
import { organisationOption } from "../fields/organisation-option.ts";
import { useRorOption } from "../fields/ror-options.ts";
import { TagList } from "../fields/tag-list.tsx";
import styles from "./creators.module.css";

/** Institutions by name or ROR id. */
export function AffiliationsField({
  value,
  onChange,
}: {
  value: Affiliation[];
  onChange: (value: Affiliation[]) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const { data = [], isFetching } = useQuery(affiliationsQuery(text));
  const byRor = useRorOption("affiliations", text);
  const add = (one: Affiliation) => {
    if (!value.some(({ id, name }) => (one.id ? id === one.id : name === one.name))) onChange([...value, one]);
    setText("");
  };
  return (
    <div className={styles.block}>
      <ComboBox
        label={t("creators.affiliations")}
        placeholder={t("creators.affiliation_hint")}
        options={byRor.option ? [byRor.option] : text ? data.flatMap(organisationOption) : []}
        inputValue={text}
        onInputChange={setText}
        isLoading={isFetching || byRor.isFetching}
        onChoose={(id) => {
          const { organisation } = byRor;
          if (organisation) return add(organisation.id ? { id, name: organisation.name } : { name: organisation.name });
          const entry = data.find((one) => one.id === id);
          if (entry) add({ id, name: entry.name ?? id });
        }}
        onText={(name) => add({ name })}
      />
      <TagList
        label={t("creators.affiliations")}
        tags={value.map(({ id, name }) => ({ id: id ?? name ?? "", label: name ?? id ?? "" }))}
        onRemove={(index) => onChange(value.filter((_, at) => at !== index))}
      />
    </div>
  );
}
