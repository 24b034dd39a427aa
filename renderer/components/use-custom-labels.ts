import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  type FieldGroup,
  groupHeading,
  groupsOf,
  type Leaf,
  leafLabel,
  leafPath,
} from "../../shared/metadata/custom-field-groups.ts";
import { customFieldsQuery } from "../api-client/custom-fields.ts";

/** The names of custom fields and their sections: the operator's label, else that of the app, else the name itself. */
export function useCustomLabels() {
  const { i18n } = useTranslation();
  const { data = [] } = useQuery(customFieldsQuery);
  const groups = groupsOf(data);
  const language = i18n.resolvedLanguage === "de" ? "de" : "en";
  const labelOf = (leaf: Leaf): string => leafLabel(leaf, language);
  const headingOf = (group: FieldGroup): string => groupHeading(group, language);
  /** The label of `journal:journal.title`, with its section. */
  const labelOfPath = (path: string): string | undefined => {
    for (const group of groups) {
      const leaf = group.leaves.find((one) => leafPath(one) === path || path.startsWith(`${leafPath(one)}.`));
      if (leaf) return `${headingOf(group)}: ${labelOf(leaf)}`;
    }
    return undefined;
  };
  return { groups, labelOf, headingOf, labelOfPath };
}
