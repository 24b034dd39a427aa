import { useTranslation } from "react-i18next";
import { useCustomLabels } from "./use-custom-labels.ts";

const customRoot = "custom_fields.";

/** The name of a field of a draft, such as `title` or `custom_fields.journal:journal.title`. */
export function useFieldLabel(): (field: string) => string {
  const { t } = useTranslation();
  const { labelOfPath } = useCustomLabels();
  return (field) => {
    const custom = field.startsWith(customRoot) ? labelOfPath(field.slice(customRoot.length)) : undefined;
    return custom ?? t(`draft.field.${field as "title"}`, { defaultValue: field.replaceAll("_", " ") });
  };
}
