import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Metadata, RelatedIdentifier } from "../../api-client/record-types.ts";
import { fundersQuery } from "../../api-client/vocabularies.ts";
import { ComboBox } from "../../components/combo-box.tsx";
import { onlyOnce, onPasteRows } from "../../components/pasted-cells.ts";
import { TextField } from "../../components/text-field.tsx";
import { titleText } from "../../format/names.ts";
import { useField } from "./draft-context.ts";
import { EntryButtons } from "./fields/entry-buttons.tsx";
import { EntryRows } from "./fields/entry-rows.tsx";
import { FieldBlock } from "./fields/field-block.tsx";
import fields from "./fields/fields.module.css";
import { FoldedGroup, FoldedGroups } from "./fields/folded-group.tsx";
import { keptScheme } from "./fields/kept-scheme.ts";
import { organisationOption } from "./fields/organisation-option.ts";
import { useRorOption } from "./fields/ror-options.ts";
import { VocabularyPicker } from "./fields/vocabulary-picker.tsx";

/** Related works and funding. */
export function RelatedSection() {
  return (
    <FoldedGroups>
      <RelatedWorks />
      <Funders />
    </FoldedGroups>
  );
}

interface EntryForm<Entry> {
  entry?: Entry;
  /** Several entries only from a form for new ones. */
  onSave: (...entries: [Entry, ...Entry[]]) => void;
  onCancel?: () => void;
}

function RelatedWorks() {
  const { t } = useTranslation();
  const field = useField("related_identifiers");
  const works = field.value ?? [];
  return (
    <FoldedGroup
      heading={t("draft.related")}
      filled={works.map(({ relation_type: type, identifier = "" }) =>
        [type && titleText(type.title, type.id), identifier].filter(Boolean).join(" "),
      )}
      hint={t("draft.related_hint")}
      fields={["metadata.related_identifiers"]}
    >
      <FieldBlock
        id={field.id}
        label={t("draft.related")}
        hideLabel
        help={t("draft.related_help")}
        problem={field.ownProblem}
      >
        <EntryRows
          field="metadata.related_identifiers"
          entries={works}
          nameOf={({ identifier: name = "" }) => name}
          form={(entry, onSave, onCancel) => <WorkForm entry={entry} onSave={onSave} onCancel={onCancel} />}
          onChange={field.set}
        >
          {(work) => (
            <>
              {work.relation_type && titleText(work.relation_type.title, work.relation_type.id)}{" "}
              <code>{work.identifier}</code>
            </>
          )}
        </EntryRows>
        <WorkForm onSave={(...added) => field.set([...works, ...added.filter((work) => !hasWork(works, work))])} />
      </FieldBlock>
    </FoldedGroup>
  );
}

const hasWork = (works: RelatedIdentifier[], { identifier, relation_type }: RelatedIdentifier): boolean =>
  works.some((one) => one.identifier === identifier && one.relation_type?.id === relation_type?.id);

/** The identifiers in pasted rows: the cells that look like one, in a row without any its first cell. */
function identifiersIn(rows: string[][]): string[] {
  const isLikely = (cell: string) => /^\S*\d\S*$/.test(cell);
  return onlyOnce(rows.flatMap((row) => (row.some(isLikely) ? row.filter(isLikely) : row.slice(0, 1))));
}

/** Between identifiers that wait for their relation. */
const betweenWorks = "; ";

function WorkForm({ entry, onSave, onCancel }: EntryForm<RelatedIdentifier>) {
  const { t } = useTranslation();
  const [relation, setRelation] = useState(entry?.relation_type);
  const [identifier, setIdentifier] = useState(entry?.identifier ?? "");
  const words = identifier.trim();
  const addAll = (identifiers: string[]) => {
    const [first, ...others] = identifiers.map((one) => ({ identifier: one, relation_type: relation }));
    if (first) onSave(first, ...others);
  };
  const save = () => {
    if (!relation || !words) return;
    if (!entry) {
      addAll(onlyOnce(words.split(betweenWorks).map((one) => one.trim())));
      return setIdentifier("");
    }
    const { scheme: _, ...kept } = entry;
    onSave({ ...kept, ...keptScheme(entry, words), identifier: words, relation_type: relation });
  };
  const paste = onPasteRows((rows) => {
    const identifiers = identifiersIn(rows);
    if (relation) addAll(identifiers);
    else setIdentifier([words, ...identifiers].filter(Boolean).join(betweenWorks));
  });
  return (
    <div className={fields.add}>
      <VocabularyPicker type="relationtypes" label={t("draft.relation")} value={relation} onChange={setRelation} />
      <TextField
        label={t("draft.identifier")}
        placeholder="10.1234/abcd"
        value={identifier}
        onChange={setIdentifier}
        onKeyDown={(event) => event.key === "Enter" && save()}
        {...(entry ? {} : { onPaste: paste })}
        mono
      />
      <EntryButtons isReady={Boolean(relation && words)} onSave={save} onCancel={onCancel} />
    </div>
  );
}

type Funding = NonNullable<Metadata["funding"]>[number];
type Award = NonNullable<Funding["award"]>;

const fundingName = ({ funder, award }: Funding) =>
  [...new Set([funder?.name ?? funder?.id, award?.number ?? award?.id, titleText(award?.title, "")])]
    .filter(Boolean)
    .join(" · ");

function Funders() {
  const { t } = useTranslation();
  const field = useField("funding");
  const funding = field.value ?? [];
  return (
    <FoldedGroup
      heading={t("draft.funding")}
      filled={funding.map(fundingName)}
      hint={t("draft.funding_hint")}
      fields={["metadata.funding"]}
    >
      <FieldBlock id={field.id} label={t("draft.funding")} hideLabel problem={field.ownProblem}>
        <EntryRows
          field="metadata.funding"
          entries={funding}
          nameOf={fundingName}
          form={(entry, onSave, onCancel) => <FundingForm entry={entry} onSave={onSave} onCancel={onCancel} />}
          onChange={field.set}
        />
        <FundingForm onSave={(one) => field.set([...funding, one])} />
      </FieldBlock>
    </FoldedGroup>
  );
}

const addressOf = (award: Award | undefined) =>
  award?.identifiers?.find(({ scheme }) => scheme === "url")?.identifier ?? "";

/** The award as edited. Its title is its number unless the user writes one; identifiers of other schemes stay. */
function awardOf(before: Award | undefined, number: string, title: string, address: string): Award | undefined {
  if (number === "" && title === "") return undefined;
  const others = before?.identifiers?.filter(({ scheme }) => scheme !== "url") ?? [];
  const identifiers = address === "" ? others : [...others, { scheme: "url", identifier: address }];
  return {
    number: number || title,
    title: { en: title || number },
    ...(identifiers.length > 0 ? { identifiers } : {}),
  };
}

function FundingForm({ entry, onSave, onCancel }: EntryForm<Funding>) {
  const { t } = useTranslation();
  const before = entry?.award;
  const [name, setName] = useState(entry?.funder?.name ?? entry?.funder?.id ?? "");
  const [id, setId] = useState(entry?.funder?.id);
  const [number, setNumber] = useState(before?.number ?? "");
  const [title, setTitle] = useState(() => {
    const words = titleText(before?.title, "");
    return words === before?.number ? "" : words;
  });
  const [address, setAddress] = useState(addressOf(before));
  const { data = [] } = useQuery(fundersQuery(name));
  const byRor = useRorOption("funders", name);
  const [looked, setLooked] = useState("");
  const save = () => {
    const funder = id ? { id, name } : { name: name.trim() };
    // An award of the vocabulary is known by its id alone.
    const award = before?.id ? before : awardOf(before, number.trim(), title.trim(), address.trim());
    onSave({ funder, ...(award ? { award } : {}) });
    if (entry) return;
    setId(undefined);
    for (const clear of [setName, setNumber, setTitle, setAddress]) clear("");
  };
  return (
    <div className={`${fields.add} ${fields.addFunder}`}>
      <ComboBox
        label={t("draft.funder")}
        placeholder={t("draft.funder_hint")}
        options={byRor.option ? [byRor.option] : name ? data.flatMap(organisationOption) : []}
        isLoading={byRor.isFetching}
        inputValue={name}
        isSettled={id !== undefined || (looked !== "" && looked === name)}
        onInputChange={(text) => {
          setName(text);
          setId(undefined);
        }}
        onChoose={(chosen) => {
          if (byRor.organisation) {
            setName(byRor.organisation.name);
            setLooked(byRor.organisation.name);
            return setId(byRor.organisation.id);
          }
          setId(chosen);
          setName(data.find((one) => one.id === chosen)?.name ?? "");
        }}
      />
      {!before?.id && <TextField label={t("draft.award_number")} value={number} onChange={setNumber} />}
      {!before?.id && (number.trim() !== "" || title !== "") && (
        <div className={fields.award}>
          <TextField label={t("draft.award_title")} value={title} onChange={setTitle} />
          <TextField
            label={t("draft.award_address")}
            description={t("draft.award_address_help")}
            value={address}
            onChange={setAddress}
          />
        </div>
      )}
      <EntryButtons isReady={name.trim() !== ""} onSave={save} onCancel={onCancel} />
    </div>
  );
}
