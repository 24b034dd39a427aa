import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { findPerson, lookupQuery } from "../../../api-client/lookup.ts";
import type { Creator } from "../../../api-client/record-types.ts";
import { Button } from "../../../components/button.tsx";
import { useChange } from "../../../components/use-change.ts";
import { personOf } from "./person-of.ts";

/** Fills in name and affiliations from ORCID, where the server can look it up. What was typed stays. */
export function FromOrcid({
  orcid,
  value,
  onChange,
}: {
  orcid: string;
  value: Creator;
  onChange: (value: Creator) => void;
}) {
  const { t } = useTranslation();
  const { data: kinds = [] } = useQuery(lookupQuery);
  const found = useChange(() => findPerson(orcid), {
    onDone: ({ family_name, given_name, affiliations }) => {
      const person = personOf(value);
      const isNamed = Boolean(person.family_name?.trim());
      const names = isNamed ? {} : { family_name, ...(given_name ? { given_name } : {}) };
      const known = value.affiliations ?? [];
      onChange({
        ...value,
        person_or_org: { ...person, ...names },
        affiliations: known.length > 0 ? known : affiliations.map((name) => ({ name })),
      });
    },
  });
  if (!kinds.includes("orcid")) return null;
  return (
    <span>
      <Button small icon={Search} isPending={found.isPending} onPress={() => found.mutate()}>
        {t("creators.from_orcid")}
      </Button>
    </span>
  );
}
