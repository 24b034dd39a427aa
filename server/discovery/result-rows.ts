import { coverIn, type PresentedRecord, textOfHtml } from "../../shared/representations/presented-record.ts";
import { uiOf } from "../../shared/representations/ui.ts";
import { type Html, html, nothing, ownPath } from "../pages/html.ts";
import { languageOf, type Ui } from "../pages/record-parts.ts";
import { words } from "../pages/words.ts";

const shownPeople = 3;
const snippetLength = 220;
const before = 40;
/** Pixels; pictures are drawn twice as large, for fine screens. */
const coverSide = 64;

/** Plain words of a query: no field names, operators or wildcards. */
export const wordsIn = (query = ""): string[] =>
  [
    ...new Set(
      query
        .replace(/[\w.*]+:(?=\S)/g, " ")
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word.length > 1 && !["AND", "OR", "NOT", "TO"].includes(word)),
    ),
  ].slice(0, 20);

const patternOf = (found: readonly string[]): RegExp | undefined =>
  found.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(${found.join("|")})`, "giu");

/** Marks the words at their places. */
function marked(text: string, found: readonly string[]): Html {
  const pattern = patternOf(found);
  if (!pattern) return html`${text}`;
  return html`${text.split(pattern).map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))}`;
}

/** The part of a text around the first word. */
function snippetOf(text: string, found: readonly string[]): string {
  const at = patternOf(found)?.exec(text)?.index ?? 0;
  const start = at < 1.5 * before ? 0 : text.lastIndexOf(" ", at - before) + 1;
  const end = start + snippetLength;
  const part = text.slice(start, end).toWellFormed();
  return `${start > 0 ? "… " : ""}${part.trim()}${text.length > end ? " …" : ""}`;
}

function rowOf(record: PresentedRecord, found: readonly string[]): Html {
  const ui = uiOf(record, words.language) as unknown as Ui;
  const names = (ui.creators?.creators ?? []).map(({ person_or_org }) => person_or_org.name);
  const people = names.length > shownPeople ? `${names.slice(0, shownPeople).join("; ")}; …` : names.join("; ");
  const { metadata, access, links } = record;
  const status = access?.status === "embargoed" || access?.status === "restricted" ? access.status : undefined;
  const text = metadata.description ? textOfHtml(metadata.description) : "";
  const language = languageOf(record);
  const cover = coverIn(record)?.address(2 * coverSide);
  const picture = cover
    ? html`<img class="thumb" src="${ownPath(cover)}" alt="" width="${coverSide}" height="${coverSide}" loading="lazy" decoding="async">`
    : nothing;
  return html`<li>${picture}<abbr class="unapi-id" title="${record.id}" hidden></abbr><p class="meta"><span>${
    ui.resource_type?.title_l10n ?? ""
  }</span><span>${ui.publication_date_l10n_long ?? ""}</span>${
    status ? html`<span class="state ${status}">${ui.access_status?.title_l10n ?? ""}</span>` : nothing
  }</p><h2 dir="auto"${metadata.title ? language : nothing}><a href="${links?.self_html ?? ""}">${marked(metadata.title || words.untitled, found)}</a></h2><p class="meta">${people}</p>${
    text === "" ? nothing : html`<p class="snippet" dir="auto"${language}>${marked(snippetOf(text, found), found)}</p>`
  }</li>`;
}

/** Records as rows: type and date, title, people, the text with the found words marked. */
export const resultRows = (records: readonly PresentedRecord[], found: readonly string[] = []): Html =>
  html`<ol class="rows results">${records.map((record) => rowOf(record, found))}</ol>`;
