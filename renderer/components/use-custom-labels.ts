import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { customFieldsQuery } from "../api-client/custom-fields.ts";
import { type FieldGroup, groupsOf, type Leaf, leafPath } from "../format/custom-fields.ts";

const plain = (name: string): string => {
  const words = name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The names of custom fields and their sections: the operator's label, else that of the app, else the name itself. */
export function useCustomLabels() {
  const { t } = useTranslation();
  const { data = [] } = useQuery(customFieldsQuery);
  const groups = groupsOf(data);
  const labelOf = ({ name, member, label }: Leaf): string =>
    label ??
    t(
      `custom.label.${leafPath(member === undefined ? { name } : { name, member }).replaceAll(/[:.]/g, "_") as "journal_journal_title"}`,
      {
        defaultValue: plain(member ?? name.split(":")[1] ?? name),
      },
    );
  const headingOf = ({ id }: FieldGroup): string =>
    t(`custom.section.${id as "journal"}`, { defaultValue: id.includes(" ") ? id : plain(id) });
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
