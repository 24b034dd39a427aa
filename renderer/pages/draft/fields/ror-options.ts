import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { lookupQuery, organisationQuery } from "../../../api-client/lookup.ts";
import type { Option } from "../../../components/select.tsx";
import { normaliseRor } from "../creators/ror.ts";

/**
 * The organisation whose ROR id is typed: from the vocabulary, which keeps the id, else from the server's look-up, which
 * gives its name.
 */
export function useRorOption(vocabulary: "affiliations" | "funders", text: string) {
  const { t } = useTranslation();
  const ror = normaliseRor(text);
  const { data: kinds = [] } = useQuery(lookupQuery);
  const { data: found, isFetching } = useQuery({
    ...organisationQuery(vocabulary, ror ?? "", kinds.includes("ror")),
    enabled: ror !== undefined,
  });
  const organisation = ror && found ? found : undefined;
  const option: Option | undefined = organisation && {
    id: organisation.id ?? organisation.name,
    label: organisation.name,
    help: [organisation.country, `ror.org/${ror}`, !organisation.id && t("creators.name_only")]
      .filter(Boolean)
      .join(" · "),
  };
  return { organisation, option, isFetching };
}
