import { useTranslation } from "react-i18next";
import type { GroupName } from "../../api-client/people.ts";

const meaning = ["admin", "superuser-access", "administration", "administration-moderation"] as const;

/** The purpose of a group: its meaning in Carrel, else its description. */
export function useGroupHelp() {
  const { t } = useTranslation();
  return ({ id, description }: GroupName): string => {
    const known = meaning.find((name) => name === id);
    return known ? t(`people.meaning.${known}`) : (description ?? "");
  };
}
