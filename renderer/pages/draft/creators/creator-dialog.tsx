import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Creator, PersonOrOrg } from "../../../api-client/record-types.ts";
import { namesQuery } from "../../../api-client/vocabularies.ts";
import { Button } from "../../../components/button.tsx";
import { RadioChoice } from "../../../components/choice.tsx";
import { ComboBox } from "../../../components/combo-box.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { onPasteRows } from "../../../components/pasted-cells.ts";
import { TextField } from "../../../components/text-field.tsx";
import { VocabularyPicker } from "../fields/vocabulary-picker.tsx";
import { AffiliationsField } from "./affiliations-field.tsx";
import styles from "./creators.module.css";
import { FromOrcid } from "./from-orcid.tsx";
import { knownPeopleQuery } from "./known-people.ts";
import { normaliseOrcid } from "./orcid.ts";
import { OrganisationName } from "./organisation-name.tsx";
import { identifierOf, personOf } from "./person-of.ts";
import { normaliseRor } from "./ror.ts";

export interface CreatorDialogProps {
  roles: "creatorsroles" | "contributorsroles";
  person: Creator | undefined;
  onSave: (person: Creator) => void;
  /** Several people were pasted as the name of a new one. */
  onPasteMany?: (text: string) => void;
  onClose: () => void;
}

const empty: Creator = { person_or_org: { type: "personal" } };

/** The stored form: only the fields of this type of person, without empty ones. */
function cleaned(person: Creator, { orcid, ror }: { orcid: string; ror: string }): Creator {
  const { type = "personal", name, family_name, given_name, identifiers = [] } = personOf(person);
  const others = identifiers.filter(({ scheme }) => scheme !== "orcid" && scheme !== "ror");
  const own =
    type === "personal"
      ? { scheme: "orcid", identifier: normaliseOrcid(orcid) ?? orcid }
      : { scheme: "ror", identifier: normaliseRor(ror) ?? ror };
  const all = own.identifier ? [...others, own] : others;
  return {
    ...person,
    person_or_org: {
      type,
      ...(type === "organizational"
        ? { name: name ?? "" }
        : { family_name: family_name ?? "", ...(given_name ? { given_name } : {}) }),
      ...(all.length ? { identifiers: all } : {}),
    },
  };
}

/** One person or organisation: name, ORCID, affiliations, role. */
export function CreatorDialog({ roles, person = empty, onSave, onPasteMany, onClose }: CreatorDialogProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(person);
  const [orcid, setOrcid] = useState(identifierOf(person, "orcid"));
  const [ror, setRor] = useState(identifierOf(person, "ror"));
  const named = personOf(value);
  const isOrg = named.type === "organizational";
  const isNamed = Boolean(isOrg ? named.name?.trim() : named.family_name?.trim());
  const isOrcidRight = !orcid || normaliseOrcid(orcid) !== undefined;
  const needsRole = roles === "contributorsroles";
  const isRorRight = !ror.trim() || normaliseRor(ror) !== undefined;
  const isReady = isNamed && (isOrg ? isRorRight : isOrcidRight) && (!needsRole || value.role !== undefined);
  const isChanged = value !== person || orcid !== identifierOf(person, "orcid") || ror !== identifierOf(person, "ror");
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isReady) onSave(cleaned(value, { orcid: orcid.trim(), ror: ror.trim() }));
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={isChanged}
      title={t(person === empty ? "creators.add" : "creators.edit")}
      actions={
        <>
          <Button onPress={onClose}>{t("action.cancel")}</Button>
          <Button variant="primary" isDisabled={!isReady} onPress={() => submit()}>
            {t("action.done")}
          </Button>
        </>
      }
    >
      <form onSubmit={submit} className={styles.block} style={{ gap: "var(--s-16)" }}>
        <RadioChoice
          label={t("creators.kind")}
          hideLabel
          look="segments"
          value={named.type ?? "personal"}
          onChange={(type) => setValue({ ...value, person_or_org: { ...named, type: type as "personal" } })}
          options={[
            { id: "personal", label: t("creators.person") },
            { id: "organizational", label: t("creators.organisation") },
          ]}
        />
        {isOrg ? (
          <OrganisationName value={value} onChange={setValue} ror={ror} setRor={setRor} isRorRight={isRorRight} />
        ) : (
          <PersonNames
            value={value}
            onChange={setValue}
            onPasteMany={person === empty ? onPasteMany : undefined}
            orcid={orcid}
            setOrcid={setOrcid}
            isOrcidRight={isOrcidRight}
          />
        )}
        <AffiliationsField
          value={value.affiliations ?? []}
          onChange={(affiliations) => setValue({ ...value, affiliations })}
        />
        <VocabularyPicker
          type={roles}
          label={t("creators.role")}
          isRequired={needsRole}
          value={value.role}
          onChange={(role) => {
            const { role: _before, ...rest } = value;
            setValue(role ? { ...rest, role } : rest);
          }}
        />
        <button type="submit" className="visually-hidden" tabIndex={-1}>
          {t("action.done")}
        </button>
      </form>
    </Dialog>
  );
}

function PersonNames({
  value,
  onChange,
  onPasteMany,
  orcid,
  setOrcid,
  isOrcidRight,
}: {
  value: Creator;
  onChange: (value: Creator) => void;
  onPasteMany: ((text: string) => void) | undefined;
  orcid: string;
  setOrcid: (orcid: string) => void;
  isOrcidRight: boolean;
}) {
  const { t } = useTranslation();
  const person = personOf(value);
  const { family_name = "", given_name = "" } = person;
  const { data: known = [] } = useQuery(knownPeopleQuery(family_name));
  const { data: others = [] } = useQuery(namesQuery(family_name));
  // People named before come first.
  const data = [...known, ...others];
  const [settled, setSettled] = useState("");
  const change = (part: PersonOrOrg) => onChange({ ...value, person_or_org: { ...person, ...part } });
  const choose = (id: string) => {
    const entry = data.find((one) => one.id === id);
    if (!entry) return;
    const chosen = entry.family_name ?? entry.name;
    setSettled(chosen);
    const person_or_org = {
      ...person,
      family_name: chosen,
      ...(entry.given_name ? { given_name: entry.given_name } : {}),
    };
    onChange({ ...value, person_or_org, affiliations: value.affiliations ?? entry.affiliations ?? [] });
    setOrcid(entry.identifiers?.find(({ scheme }) => scheme === "orcid")?.identifier ?? orcid);
  };
  return (
    <>
      <div className={styles.pair}>
        <ComboBox
          label={t("creators.family_name")}
          isRequired
          options={
            family_name
              ? data.map(({ id, name, affiliations }) => ({ id, label: name, help: affiliations?.[0]?.name }))
              : []
          }
          inputValue={family_name}
          isSettled={settled !== "" && settled === family_name}
          onInputChange={(text) => change({ family_name: text })}
          onChoose={choose}
          {...(onPasteMany ? { onPaste: onPasteRows((_, text) => onPasteMany(text)) } : {})}
        />
        <TextField
          label={t("creators.given_name")}
          value={given_name}
          onChange={(text) => change({ given_name: text })}
        />
      </div>
      <TextField
        label={t("creators.orcid")}
        placeholder="0000-0000-0000-0000"
        mono
        value={orcid}
        onChange={setOrcid}
        problem={orcid.replace(/\D/g, "").length >= 15 && !isOrcidRight ? t("creators.orcid_wrong") : undefined}
      />
      {orcid !== "" && isOrcidRight && <FromOrcid orcid={orcid} value={value} onChange={onChange} />}
    </>
  );
}
