/** Names of the operator's pages, and the files that hold them. */
export const sitePageNames = ["about", "policies", "accessibility", "contact", "help/search"] as const;
export type SitePageName = (typeof sitePageNames)[number];

/** What the pages say unless the operator writes their own. @param contact address of the administrator. */
export function defaultPages(name: string, contact: string | undefined): Record<SitePageName, string> {
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

Who asks for a deleted record finds a note with the reason and the date, and how the record was cited.

## Privacy

Visitors get no cookies and are not followed. The counts of views and downloads hold nothing about people. A link to a
restricted record is kept in a cookie for 30 days at most. Users who sign in have a session cookie.
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
| fram strait | records with both words |
| "fram strait" | records with these words side by side |
| sediment OR core | records with one of the words |
| core -ice | records with the first word and without the second |
| sedim* | words that begin like this |
| creators.person_or_org.name:hopper | records of this person |
| publication_date:[2019 TO 2024] | records of these years |

Filters beside the results narrow them down. Each filter that you choose stands above the results, and a click removes it.
`,
  };
}
