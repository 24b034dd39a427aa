import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { findOrganisation, lookupQuery } from "../../../api-client/lookup.ts";
import type { Creator } from "../../../api-client/record-types.ts";
import { affiliationsQuery } from "../../../api-client/vocabularies.ts";
import { Button } from "../../../components/button.tsx";
import { ComboBox } from "../../../components/combo-box.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { useChange } from "../../../components/use-change.ts";
import { organisationOption } from "../fields/organisation-option.ts";
import { personOf } from "./person-of.ts";
import { normaliseRor } from "./ror.ts";

interface OrganisationNameProps {
  value: Creator;
  onChange: (value: Creator) => void;
  ror: string;
  setRor: (ror: string) => void;
  isRorRight: boolean;
}

/** Name and ROR id of an organisation. A suggestion fills in both; so does a look-up, where the server has one. */
export function OrganisationName({ value, onChange, ror, setRor, isRorRight }: OrganisationNameProps) {
  const { t } = useTranslation();
  const organisation = personOf(value);
  const { name = "" } = organisation;
  const [settled, setSettled] = useState(name);
  const { data = [] } = useQuery(affiliationsQuery(name));
  const { data: kinds = [] } = useQuery(lookupQuery);
  const setName = (next: string) => onChange({ ...value, person_or_org: { ...organisation, name: next } });
  const fill = (found: { name: string; ror: string }) => {
    setSettled(found.name);
    setName(found.name);
    if (found.ror) setRor(found.ror);
  };
  const found = useChange(() => findOrganisation(ror), { onDone: fill });
  const id = normaliseRor(ror);
  return (
    <>
      <ComboBox
        label={t("creators.org_name")}
        isRequired
        autoFocus
        options={name ? data.flatMap(organisationOption) : []}
        inputValue={name}
        isSettled={settled !== "" && settled === name}
        onInputChange={setName}
        onChoose={(chosen) => {
          const entry = data.find((one) => one.id === chosen);
          if (entry) fill({ name: entry.name ?? chosen, ror: normaliseRor(chosen) ?? "" });
        }}
      />
      <TextField
        label={t("creators.ror")}
        placeholder="https://ror.org/01ggx4157"
        mono
        value={ror}
        onChange={setRor}
        problem={ror.trim().length >= 9 && !isRorRight ? t("creators.ror_wrong") : undefined}
      />
      {id && kinds.includes("ror") && (
        <span>
          <Button small icon={Search} isPending={found.isPending} onPress={() => found.mutate()}>
            {t("creators.from_ror")}
          </Button>
        </span>
      )}
    </>
  );
}
