import type { Language } from "../../shared/kernel/languages.schema.ts";

/** Names of the operator's pages, and the files that hold them. */
export const sitePageNames = ["about", "policies", "accessibility", "contact", "help/search"] as const;
export type SitePageName = (typeof sitePageNames)[number];

type SitePages = Record<SitePageName, string>;

const english = (name: string, contact: string | undefined): SitePages => {
  const toWrite = contact === undefined ? "the people who run this repository" : `[${contact}](mailto:${contact})`;
  return {
    about: `# About ${name}

${name} keeps research records: data, software, texts and their files. Everybody may read what is public, without an
account. Each version of a record has an address of its own that stays the same.

## For programs

All records can be read by the [API](/api/docs). The [catalogue of interfaces](/.well-known/api-catalog) names feeds,
harvesting and search for machines.
`,
    policies: `# Policies

## Content

Records are described and deposited by their authors. A published version does not change, except for corrections of its
description.

## Deletion

The address of a deleted record shows a note with the reason and the date, and how the record was cited.

## Privacy

Visitors are not followed. The counts of views and downloads hold nothing about people. Cookies are only
set for what you do: for the language that you choose (a year), for a link to a restricted record (30 days at most), and for
signing in: for the session, and so that this browser is known (180 days).
`,
    accessibility: `# Accessibility

These pages are made to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA. They work by keyboard, with
screen readers, at 200 % zoom, on narrow screens and without scripts. Light and dark colours follow your system.

Deposited files can have barriers of their own. Their authors are named on the page of each record.

## If something does not work for you

Write to ${toWrite}. Say which page it is, and what did not work.
`,
    contact: `# Contact

Write to ${toWrite}.

For questions about a record, ask the people who are named on its page.
`,
    "help/search": `# How to search

| You type | You find |
|---|---|
| \`fram strait\` | records with either word; those with both come first |
| \`fram AND strait\` | records with both words |
| \`"fram strait"\` | records with these words side by side |
| \`fram -strait\` | records with the first word and without the second |
| \`sedim*\` | words that begin like this |
| \`sedimant~\` | words that are spelt a little differently |
| \`metadata.title:sediment\` | records with the word in their title |
| \`metadata.creators.person_or_org.name:hopper\` | records of this person |
| \`metadata.publication_date_range:[2019 TO 2024]\` | records of these years |
| \`files.types:csv\` | records with such a file |

AND, OR and NOT are written in capitals. Otherwise capitals and accents make no difference.

Filters beside the results narrow them down. Each filter that you choose stands above the results, and a click removes it.
`,
  };
};

const german = (name: string, contact: string | undefined): SitePages => {
  const toWrite =
    contact === undefined ? "an die Betreiber dieses Repositoriums" : `an [${contact}](mailto:${contact})`;
  return {
    about: `# Über ${name}

${name} bewahrt Forschungsergebnisse auf: Daten, Software, Texte und ihre Dateien. Was öffentlich ist, dürfen alle ohne Konto
lesen. Jede Version eines Datensatzes hat eine eigene Adresse, die sich nicht ändert.

## Für Programme

Alle Datensätze lassen sich über die [API](/api/docs) lesen. Das [Verzeichnis der
Schnittstellen](/.well-known/api-catalog) nennt Feeds, Harvesting und Suche für Maschinen.
`,
    policies: `# Richtlinien

## Inhalte

Die Autorinnen und Autoren beschreiben ihre Datensätze und legen sie selbst ab. Eine veröffentlichte Version ändert sich
nicht, außer um ihre Beschreibung zu berichtigen.

## Löschung

Unter der Adresse eines gelöschten Datensatzes stehen der Grund und das Datum, und wie der Datensatz zitiert wurde.

## Datenschutz

Besucherinnen und Besucher werden nicht verfolgt. Die Zahlen der Aufrufe und Downloads enthalten nichts über Personen. Cookies
gibt es nur für das, was Sie tun: für die Sprache, die Sie wählen (ein Jahr), für einen Link zu einem eingeschränkten Datensatz
(höchstens 30 Tage) und für die Anmeldung: für die Sitzung, und damit dieser Browser bekannt ist (180 Tage).
`,
    accessibility: `# Barrierefreiheit

Diese Seiten sollen die Web Content Accessibility Guidelines (WCAG) 2.2 auf Stufe AA erfüllen. Sie funktionieren mit der
Tastatur, mit Screenreadern, bei 200 % Vergrößerung, auf schmalen Bildschirmen und ohne Skripte. Helle und dunkle Farben
folgen Ihrem System.

Abgelegte Dateien können eigene Barrieren haben. Wer sie erstellt hat, steht auf der Seite des Datensatzes.

## Wenn für Sie etwas nicht funktioniert

Schreiben Sie ${toWrite}. Nennen Sie die Seite, und was nicht funktioniert hat.
`,
    contact: `# Kontakt

Schreiben Sie ${toWrite}.

Bei Fragen zu einem Datensatz wenden Sie sich an die Personen, die auf seiner Seite stehen.
`,
    "help/search": `# So suchen Sie

| Sie geben ein | Sie finden |
|---|---|
| \`fram strait\` | Datensätze mit einem der Wörter; solche mit beiden stehen oben |
| \`fram AND strait\` | Datensätze mit beiden Wörtern |
| \`"fram strait"\` | Datensätze mit diesen Wörtern nebeneinander |
| \`fram -strait\` | Datensätze mit dem ersten Wort und ohne das zweite |
| \`sedim*\` | Wörter, die so beginnen |
| \`sedimant~\` | Wörter, die etwas anders geschrieben sind |
| \`metadata.title:sediment\` | Datensätze mit dem Wort im Titel |
| \`metadata.creators.person_or_org.name:hopper\` | Datensätze dieser Person |
| \`metadata.publication_date_range:[2019 TO 2024]\` | Datensätze dieser Jahre |
| \`files.types:csv\` | Datensätze mit einer solchen Datei |

AND, OR und NOT schreiben Sie groß. Sonst machen Großschreibung und Akzente keinen Unterschied.

Die Filter neben den Ergebnissen grenzen sie ein. Jeder gewählte Filter steht über den Ergebnissen, und ein Klick entfernt
ihn.
`,
  };
};

const texts: Record<Language, typeof english> = { en: english, de: german };

/** What the pages say unless the operator writes their own. @param contact address of the administrator. */
export const defaultPages = (language: Language, name: string, contact: string | undefined): SitePages =>
  texts[language](name, contact);
