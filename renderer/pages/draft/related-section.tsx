import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { VocabularyRef } from "../../api-client/record-types.ts";
import { fundersQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { ComboBox } from "../../components/combo-box.tsx";
import { TextField } from "../../components/text-field.tsx";
import { titleText } from "../../format/names.ts";
import { useField } from "./draft-context.ts";
import { EntryRows } from "./fields/entry-rows.tsx";
import { FieldBlock } from "./fields/field-block.tsx";
import fields from "./fields/fields.module.css";
import { VocabularyPicker } from "./fields/vocabulary-picker.tsx";

/** Related works and funding. */
export function RelatedSection() {
  return (
    <>
      <RelatedWorks />
      <Funders />
    </>
  );
}

function RelatedWorks() {
  const { t } = useTranslation();
  const field = useField("related_identifiers");
  const [relation, setRelation] = useState<VocabularyRef>();
  const [identifier, setIdentifier] = useState("");
  const works = field.value ?? [];
  const add = () => {
    if (!relation || !identifier.trim()) return;
    field.set([...works, { identifier: identifier.trim(), relation_type: relation }]);
    setIdentifier("");
  };
  return (
    <FieldBlock id={field.id} label={t("draft.related")} help={t("draft.related_help")} problem={field.problem}>
      <EntryRows entries={works} nameOf={({ identifier: name = "" }) => name} onChange={field.set}>
        {(work) => (
          <>
            {work.relation_type && titleText(work.relation_type.title, work.relation_type.id)}{" "}
            <code>{work.identifier}</code>
          </>
        )}
      </EntryRows>
      <div className={fields.add}>
        <VocabularyPicker type="relationtypes" label={t("draft.relation")} value={relation} onChange={setRelation} />
        <TextField
          label={t("draft.identifier")}
          placeholder="10.1234/abcd"
          value={identifier}
          onChange={setIdentifier}
          mono
        />
        <Button icon={Plus} isDisabled={!relation || !identifier.trim()} onPress={add}>
          {t("action.add")}
        </Button>
      </div>
    </FieldBlock>
  );
}

function Funders() {
  const { t } = useTranslation();
  const field = useField("funding");
  const [name, setName] = useState("");
  const [id, setId] = useState<string>();
  const [number, setNumber] = useState("");
  const { data = [] } = useQuery(fundersQuery(name));
  const funding = field.value ?? [];
  const add = () => {
    const funder = id ? { id, name } : { name: name.trim() };
    const award = number.trim() ? { award: { number: number.trim(), title: { en: number.trim() } } } : {};
    field.set([...funding, { funder, ...award }]);
    setName("");
    setId(undefined);
    setNumber("");
  };
  return (
    <FieldBlock id={field.id} label={t("draft.funding")} problem={field.problem}>
      <EntryRows
        entries={funding}
        nameOf={({ funder, award }) =>
          [funder?.name ?? funder?.id, award?.number ?? award?.id].filter(Boolean).join(" · ")
        }
        onChange={field.set}
      />
      <div className={`${fields.add} ${fields.addFunder}`}>
        <ComboBox
          label={t("draft.funder")}
          options={name ? data.map((one) => ({ id: one.id, label: one.name, help: one.country })) : []}
          inputValue={name}
          isSettled={id !== undefined}
          onInputChange={(text) => {
            setName(text);
            setId(undefined);
          }}
          onChoose={(chosen) => {
            setId(chosen);
            setName(data.find((one) => one.id === chosen)?.name ?? "");
          }}
        />
        <TextField label={t("draft.award_number")} value={number} onChange={setNumber} />
        <Button icon={Plus} isDisabled={!name.trim()} onPress={add}>
          {t("action.add")}
        </Button>
      </div>
    </FieldBlock>
  );
}
