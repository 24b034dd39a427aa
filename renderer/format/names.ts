import i18next from "i18next";
import type { PersonOrOrg, Title } from "../api-client/record-types.ts";
import type { ReviewRequest, UserView } from "../api-client/request-types.ts";
import { language } from "../locales/language.ts";

/** A title, or a title map's text in the user's language, else in English, else the fallback. */
export function titleText(title: Title | string | undefined, fallback: string): string {
  if (typeof title === "string") return title;
  return title?.[language().split("-")[0] ?? "en"] ?? title?.en ?? Object.values(title ?? {})[0] ?? fallback;
}

/** "Family, Given" or the name of an organisation; empty if a draft has no name yet. */
export function personName(person: PersonOrOrg = {}): string {
  if (person.type === "organizational") return person.name ?? "";
  return [person.family_name, person.given_name].filter(Boolean).join(", ") || (person.name ?? "");
}

/** Names in one sentence: "A, B and C". */
export const namesTogether = (names: string[]): string =>
  new Intl.ListFormat(language(), { type: "conjunction" }).format(names);

export const userName = (user: UserView | undefined, fallback: string) =>
  user?.profile?.full_name || user?.username || fallback;

/** A user's name; their number if the profile is hidden, as that of a deactivated user is. */
export const nameOrNumber = (user: UserView | undefined, id: string): string =>
  userName(user, i18next.t("people.unnamed", { number: id }));

/** Who made a request: a user, or a guest who asks for access, by the name that they gave. */
export const creatorName = ({ expanded, created_by: { user, email = "" } }: ReviewRequest): string =>
  user === undefined ? userName(expanded?.created_by, email) : nameOrNumber(expanded?.created_by, user);

/** Splits a file name into folder and last part. */
export function splitPath(path: string): { folder: string; name: string } {
  const cut = path.lastIndexOf("/");
  return { folder: path.slice(0, cut + 1), name: path.slice(cut + 1) };
}
