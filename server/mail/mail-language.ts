import { type Language, spokenLanguages } from "../../shared/kernel/languages.schema.ts";
import { type Settings, siteLanguages } from "../../shared/settings/settings.schema.ts";

const known = (value: unknown): Language | undefined => spokenLanguages.find((language) => language === value);

/**
 * The language of a mail: what its recipient chose, then that of the page that they used, then the first of the site.
 * @param recipient undefined for people without an account.
 */
export function mailLanguage(
  settings: Pick<Settings, "site">,
  recipient: { preferences: string } | undefined,
  used?: unknown,
): Language {
  const chosen = recipient && known(JSON.parse(recipient.preferences).language);
  return chosen ?? known(used) ?? siteLanguages(settings)[0] ?? "en";
}
