import { doiAddress } from "../../shared/identifiers/scheme.schema.ts";
import { placeWords } from "../../shared/metadata/place-words.ts";
import { identifierAddress } from "../../shared/representations/identifier-address.ts";
import {
  doiOf,
  languageCodeOf,
  type PresentedRecord,
  parentDoiOf,
  textOfHtml,
} from "../../shared/representations/presented-record.ts";
import { type Html, html, nothing, safeAddress } from "./html.ts";
import { proseOf } from "./prose.ts";
import { type Words, words } from "./words.ts";

interface Titled {
  id: string;
  title_l10n: string;
}

interface UiPerson {
  person_or_org: { name: string; identifiers?: { scheme: string; identifier: string }[] };
  role?: { title: string };
  affiliations: [number, string][];
}

export interface UiPeople {
  affiliations: [number, string, string | null][];
  creators?: UiPerson[];
  contributors?: UiPerson[];
}

/** The parts of the `ui` object (records 10) that a page shows. */
export interface Ui {
  publication_date_l10n_long?: string;
  resource_type?: Titled;
  version: string;
  access_status?: { title_l10n: string; embargo_date_l10n?: string };
  creators?: UiPeople;
  contributors?: UiPeople;
  languages?: Titled[];
  rights?: { title_l10n?: string; link?: string; props?: { url?: string } }[];
  dates?: { date_l10n?: string; type?: Titled; description?: string }[];
  additional_titles?: { title?: string; type?: Titled; lang?: Titled }[];
  additional_descriptions?: { description?: string; type?: Titled; lang?: Titled }[];
  funding?: { funder?: { name?: string }; award?: { number?: string; id?: string; title_l10n?: string } }[];
  related_identifiers?: { relation_type?: Titled; identifier: string; scheme?: string; resource_type?: Titled }[];
}

const personOf = ({ person_or_org, role, affiliations }: UiPerson): Html => {
  const orcid = person_or_org.identifiers?.find(({ scheme }) => scheme === "orcid")?.identifier;
  const name = orcid
    ? html`<a href="https://orcid.org/${orcid}">${person_or_org.name}</a>`
    : html`${person_or_org.name}`;
  const numbers = affiliations.map(([number]) => number).join(", ");
  return html`<li>${name}${numbers ? html`<sup>${numbers}</sup>` : nothing}${role ? html` (${role.title})` : nothing}</li>`;
};

/**
 * People with numbers for their affiliations; those of many are left to their own page.
 * @param most people that are shown.
 */
export function peopleOf(
  words: Words,
  people: UiPeople | undefined,
  kind: "creators" | "contributors",
  most: number,
  page?: string,
): Html {
  const all = people?.[kind] ?? [];
  if (!people || all.length === 0) return nothing;
  const shown = all.slice(0, most);
  const numbers = new Set(shown.flatMap((person) => person.affiliations.map(([number]) => number)));
  const affiliations = people.affiliations
    .filter(([number]) => numbers.has(number))
    .map(
      ([number, name, ror]) =>
        html`<li><sup>${number}</sup> ${ror ? html`<a href="https://ror.org/${ror}">${name}</a>` : name}</li>`,
    );
  const more =
    all.length > most && page !== undefined
      ? html`<li><a href="${page}">${words.morePeople(all.length - most)}</a></li>`
      : nothing;
  return html`<ul class="people">${shown.map(personOf)}${more}</ul>${
    affiliations.length > 0 ? html`<ul class="affiliations">${affiliations}</ul>` : nothing
  }`;
}

/** A fact with its values; nothing without any. */
export const fact = (name: string, values: readonly Html[]): Html =>
  values.length === 0 ? nothing : html`<dt>${name}</dt>${values.map((value) => html`<dd>${value}</dd>`)}`;
const text = (value: string | undefined): Html[] => (value ? [html`${value}`] : []);
const texts = (values: readonly (string | undefined)[] | undefined): Html[] => (values ?? []).flatMap(text);
/** On paper, the address is written after a label that is another. */
export const link = (address: string | undefined, label: string): Html =>
  address
    ? html`<a${address === label ? html` class="bare"` : nothing} href="${safeAddress(address)}">${label}</a>`
    : html`${label}`;

const inLanguage = (id: string): Html => html` lang="${languageCodeOf(id)}"`;

/** The language of title and abstract, where the record has one and it is not that of the page. */
export function languageOf({ metadata: { languages = [] } }: PresentedRecord): Html {
  const [only, ...others] = languages;
  const isOther = only !== undefined && others.length === 0 && languageCodeOf(only.id) !== words.language;
  return isOther ? inLanguage(only.id) : nothing;
}

/** Everything that has no section of its own. */
export function detailsOf(record: PresentedRecord, ui: Ui): Html {
  const { metadata } = record;
  const doi = doiOf(record);
  const { facts } = words;
  const funding = (ui.funding ?? []).map(({ funder, award }) =>
    [funder?.name, award?.number ?? award?.id, award?.title_l10n].filter(Boolean).join(" · "),
  );
  const rows = [
    fact(facts.doi, doi ? [link(doiAddress(doi), doi)] : []),
    fact(facts.type, text(ui.resource_type?.title_l10n)),
    fact(
      facts.otherTitles,
      (ui.additional_titles ?? []).flatMap(({ type, title, lang }) => {
        if (!title) return [];
        const shown = lang ? html`<span${inLanguage(lang.id)}>${title}</span>` : title;
        return [html`${type ? `${type.title_l10n}: ` : ""}${shown}`];
      }),
    ),
    fact(facts.publisher, text(metadata.publisher)),
    fact(facts.published, text(ui.publication_date_l10n_long)),
    fact(facts.languages, texts(ui.languages?.map(({ title_l10n }) => title_l10n))),
    fact(
      facts.rights,
      (ui.rights ?? []).map(({ title_l10n = "", props, link: address }) => link(props?.url ?? address, title_l10n)),
    ),
    fact(facts.copyright, text(metadata.copyright && textOfHtml(metadata.copyright))),
    fact(
      facts.subjects,
      (metadata.subjects ?? []).flatMap(({ subject }) =>
        subject ? [html`<span class="subject">${subject}</span>`] : [],
      ),
    ),
    fact(facts.funding, texts(funding)),
    fact(
      facts.identifiers,
      (metadata.identifiers ?? []).map(({ scheme = "", identifier }) => html`${[scheme, identifier].join(" ").trim()}`),
    ),
    fact(
      facts.dates,
      (ui.dates ?? []).map(
        ({ date_l10n: date = "", type, description }) =>
          html`${[type?.title_l10n, date, description].filter(Boolean).join(" · ")}`,
      ),
    ),
    fact(facts.sizes, texts(metadata.sizes)),
    fact(facts.formats, texts(metadata.formats)),
    fact(facts.locations, texts(metadata.locations?.features?.map(placeWords))),
    fact(facts.references, texts(metadata.references?.map(({ reference }) => reference))),
  ];
  return rows.every(({ html: one }) => one === "") ? nothing : html`<dl class="facts">${rows}</dl>`;
}

/** Descriptions of other kinds, such as methods, each below its kind. */
export const otherDescriptionsOf = ({ additional_descriptions: all = [] }: Ui): Html =>
  html`${all.flatMap(({ description, type, lang }) => {
    if (!description) return [];
    const heading = type ? html`<h3 class="sub">${type.title_l10n}</h3>` : nothing;
    const language = lang ? inLanguage(lang.id) : nothing;
    return [html`${heading}<div class="prose" dir="auto"${language}>${proseOf(description)}</div>`];
  })}`;

/** How to cite all versions as one work (interoperability 13). */
export function citeAllOf(record: PresentedRecord): Html {
  const doi = parentDoiOf(record);
  if (doi === undefined) return nothing;
  return html`<p class="cite-all">${words.citeAll}: <a href="${doiAddress(doi)}">${doi}</a><small>${words.citeAllHelp}</small></p>`;
}

/** An identifier, as a link where it has an address. */
export const identifierLink = ({ identifier, scheme }: { identifier: string; scheme?: string }): Html =>
  link(identifierAddress(scheme, identifier), identifier);

export function relatedOf({ related_identifiers: related = [] }: Ui): Html {
  if (related.length === 0) return nothing;
  return html`<dl class="facts">${related.map(
    ({ relation_type, resource_type, ...work }) =>
      html`<dt>${relation_type?.title_l10n ?? ""}</dt><dd>${identifierLink(work)}${
        resource_type ? html` (${resource_type.title_l10n})` : nothing
      }</dd>`,
  )}</dl>`;
}
