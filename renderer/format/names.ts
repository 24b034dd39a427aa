import type { PersonOrOrg, Title } from "../api-client/record-types.ts";
import type { UserView } from "../api-client/request-types.ts";
import { language } from "../locales/language.ts";

/** The text of a title map in the person's language, English otherwise, else the fallback. */
export const titleText = (title: Title | undefined, fallback: string) =>
  title?.[language().split("-")[0] ?? "en"] ?? title?.en ?? Object.values(title ?? {})[0] ?? fallback;

/** "Family, Given" of a person, the name of an organisation. */
export function personName(person: PersonOrOrg): string {
  if (person.type === "organizational") return person.name ?? "";
  return [person.family_name, person.given_name].filter(Boolean).join(", ") || (person.name ?? "");
}

export const userName = (user: UserView | undefined, fallback: string) =>
  user?.profile?.full_name || user?.username || fallback;

/** The folder part and the last part of a file name that may contain slashes. */
export function splitPath(path: string): { folder: string; name: string } {
  const cut = path.lastIndexOf("/");
  return { folder: path.slice(0, cut + 1), name: path.slice(cut + 1) };
}
