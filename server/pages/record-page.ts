import { spokenLanguage } from "../../shared/kernel/spoken-language.ts";
import type { CustomFieldDeclaration } from "../../shared/metadata/custom-fields.schema.ts";
import type { RecordBody } from "../../shared/records/record.presenter.ts";
import { bibliographyOf, styleNamed } from "../../shared/representations/bibliography.ts";
import { citationStyles } from "../../shared/representations/citation-styles.schema.ts";
import { archiveOf, coverIn, type PresentedRecord } from "../../shared/representations/presented-record.ts";
import { uiOf } from "../../shared/representations/ui.ts";
import { exportLabel } from "./export-label.ts";
import { copyButton, filterForm } from "./file-parts.ts";
import { fileRows, folderOf, folderTree, sizeInWords } from "./file-rows.ts";
import { type Html, html, nothing, ownPath } from "./html.ts";
import type { Page } from "./page-frame.ts";
import { proseOf } from "./prose.ts";
import { customFieldsOf } from "./record-custom.ts";
import { headOf } from "./record-head.ts";
import { citeAllOf, detailsOf, languageOf, otherDescriptionsOf, peopleOf, relatedOf, type Ui } from "./record-parts.ts";
import type { ShownRecord } from "./shown-record.ts";
import { dayInWords, words } from "./words.ts";

/** The formats that stand beside the citation; the page of exports has them all. */
const citingFormats = ["bibtex", "ris", "csl", "datacite-json", "dublincore", "json-ld", "json"];
const maxVersions = 20;
/** Pixels, twice of what is shown, for fine screens. */
const coverWidth = 1400;
const coverHeight = 512;
const maxFiles = 50;
const maxDraftFiles = 1000;
/** More files are shown by folder. */
const fewFiles = 10;
/** One section of the page, with its heading beside it. Without content there is no section. */
const section = (id: string, heading: string, content: Html): Html =>
  content.html === ""
    ? nothing
    : html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2><div>${content}</div></section>`;

/** The way to ask for access: the owner, who is not named, if they take requests; else the repository. */
function askFor({ links }: PresentedRecord, { parent }: RecordBody): Html {
  const { access = {} } = (parent ?? {}) as { access?: { settings?: Record<string, unknown> } };
  const { allow_user_requests: users, allow_guest_requests: guests } = access.settings ?? {};
  if (users !== true && guests !== true) return html`<p><a href="/contact">${words.contactUs}</a></p>`;
  return html`<p><a class="button" href="${links?.self_html ?? ""}/access-request" rel="nofollow">${words.askForAccess}</a></p>`;
}

/** The record's picture, which leads to the page of its file. */
function coverOf({ record, isDraft }: ShownRecord): Html {
  const cover = coverIn(record);
  if (!cover) return nothing;
  const name = cover.key.slice(cover.key.lastIndexOf("/") + 1);
  const picture = html`<img src="${ownPath(cover.address(coverWidth, coverHeight))}" alt="${name}" loading="lazy" decoding="async">`;
  const page = `${record.links?.self_html ?? ""}/files/${cover.key.split("/").map(encodeURIComponent).join("/")}`;
  // Drafts have no pages of files.
  return html`<p class="cover">${isDraft ? picture : html`<a href="${page}">${picture}</a>`}</p>`;
}

/** Why the record is under embargo, in the owner's words. */
function embargoReason({ access }: PresentedRecord): Html {
  const { active = false, reason } = access?.embargo ?? {};
  return active && reason ? html`<p dir="auto">${words.embargoReason(reason)}</p>` : nothing;
}

function filesOf({ files, record, body, isDraft, hasOtherLinks }: ShownRecord, ui: Ui): Html {
  if (!files) {
    const until = ui.access_status?.embargo_date_l10n;
    const signIn = `/sign-in?next=${encodeURIComponent(`/records/${record.id}`)}`;
    return html`<p>${until ? words.filesEmbargoed(until) : words.filesRestricted}${hasOtherLinks ? html` ${words.linkEnded}` : nothing} <a rel="nofollow" href="${signIn}">${words.signIn}</a></p>${embargoReason(record)}${askFor(record, body)}`;
  }
  if (files.length === 0) return nothing;
  const page = `${record.links?.self_html ?? ""}/files`;
  const root = folderOf(files);
  if (files.length <= fewFiles) return fileRows(words, files);
  // Drafts have no pages of files.
  if (isDraft) return folderTree(words, root, { rows: maxDraftFiles });
  const all = html`<p class="meta"><a href="${page}/">${words.allFiles(files.length)}</a></p>`;
  const left = { rows: maxFiles };
  const tree = folderTree(words, root, left);
  // The script may only filter a list that is complete.
  const filters = left.rows > 0 ? { filters: "file-rows" } : {};
  const filter = filterForm(words, { action: `${page}/`, text: "", hidden: {}, ...filters });
  return html`${filter}<div id="file-rows">${tree}<p data-none hidden>${words.noFileMatches}</p></div>${all}`;
}

function actionsOf({ record, files = [], isDraft }: ShownRecord): Html {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const archive = archiveOf(record);
  const all =
    files.length > 0 && archive && !isDraft
      ? html`<a class="button primary" href="${archive}">${words.downloadAll(sizeInWords(bytes, words.language))}</a>`
      : nothing;
  const app = `carrel://${isDraft ? "draft" : "record"}/${encodeURIComponent(record.id)}`;
  return html`<div class="actions">${all}<a class="button" href="${app}">${words.openInApp}</a></div>`;
}

/** What the user may do with the record or draft. The form is answered by `../own-actions.ts`. */
function ownActions({ record, own, isDraft }: ShownRecord): Html {
  if (!own) return nothing;
  const id = encodeURIComponent(record.id);
  const { actions, backToDraft, edit, newVersion, share, requests } = words.own;
  if (isDraft) return html`<p class="actions strip"><a class="button" href="/uploads/${id}">${backToDraft}</a></p>`;
  return html`<form class="actions strip" method="post" action="/records/${id}/own" aria-label="${actions}"><button class="button" name="action" value="edit">${edit}</button><button class="button" name="action" value="new-version">${newVersion}</button>${
    own.mayManage ? html`<a class="button" href="/me/records/${id}#share">${share}</a>` : nothing
  }<a class="button" href="/me/requests?view=all&amp;q=${encodeURIComponent(`topic.record:"${record.id}"`)}">${requests}</a></form>`;
}

const maxPeople = ({ isDraft }: ShownRecord): number => (isDraft ? Number.POSITIVE_INFINITY : 10);

/** Drafts have no page of people, so all are shown. */
const peoplePageOf = ({ record, isDraft }: ShownRecord): string | undefined =>
  isDraft ? undefined : `${record.links?.self_html ?? ""}/people`;

function headingOf(shown: ShownRecord, title: string, ui: Ui): Html {
  const { record, versions } = shown;
  const { metadata } = record;
  const { status = "open", embargo } = (record.access ?? {}) as { status?: string; embargo?: { active?: boolean } };
  const state = embargo?.active && ui.access_status?.embargo_date_l10n;
  const stateWords = state ? words.embargoed(state) : (ui.access_status?.title_l10n ?? "");
  const newest = versions[0];
  const isOlder = newest !== undefined && newest.id !== record.id && !shown.isDraft;
  return html`<header class="head"><div><p class="number">${record.id}</p></div><div>${
    isOlder ? html`<p class="notice">${words.newer} <a href="${newest.address}">${words.toNewest}</a></p>` : nothing
  }${shown.link ? html`<p class="notice">${words.openedByLink(shown.link.until && dayInWords(shown.link.until))}</p>` : nothing}${shown.isDraft ? html`<p class="notice">${words.draftPreview}</p>` : nothing}<p class="meta">${
    ui.resource_type ? html`<span title="Resource type">${ui.resource_type.title_l10n}</span>` : nothing
  }${ui.publication_date_l10n_long ? html`<span>${ui.publication_date_l10n_long}</span>` : nothing}<span>${words.version(
    ui.version,
  )}</span><span class="state ${status}">${stateWords}</span></p><h1 dir="auto"${metadata.title ? languageOf(record) : nothing}>${title}</h1>${peopleOf(
    words,
    ui.creators,
    "creators",
    maxPeople(shown),
    peoplePageOf(shown),
  )}${actionsOf(shown)}${ownActions(shown)}</div></header>`;
}

/** The choice of another citation style; drafts are not cited. */
function styleForm({ isDraft }: ShownRecord, chosen: string): Html {
  if (isDraft) return nothing;
  const options = citationStyles.map(
    ({ id, label }) => html`<option${id === chosen ? { html: " selected" } : nothing}>${label}</option>`,
  );
  return html`<form class="styles" action="#cite"><label>${words.citationStyle} <select name="style">${options}</select></label><button class="copy" type="submit">${words.showStyle}</button></form>`;
}

function sideOf(shown: ShownRecord, chosen: string): Html {
  const { record, body, versions, isDraft } = shown;
  const page = record.links?.self_html ?? "";
  const formats = isDraft
    ? nothing
    : html`<nav class="formats" aria-label="${words.exports}">${citingFormats.map(
        (name) => html`<a href="${page}/export/${name}">${exportLabel(words, name)}</a>`,
      )}<a href="${page}/export">${words.allFormats}</a></nav>`;
  const versionRows = versions
    .slice(0, maxVersions)
    .map(
      ({ id, label, date, address }) =>
        html`<li${id === record.id ? { html: ' aria-current="true"' } : nothing}><a href="${address}">${label}</a><small>${date}</small></li>`,
    );
  const { this_version: use } = (body.stats ?? {}) as { this_version?: Record<string, number> };
  return html`<aside class="side"><section class="card" aria-labelledby="cite"><h2 id="cite">${
    words.citation
  }</h2><p id="citation" dir="auto"${languageOf(record)}>${bibliographyOf(record, words.language, styleNamed(chosen) ?? "apa")}</p>${copyButton("citation")}${styleForm(shown, chosen)}${formats}</section>${
    versions.length > 0
      ? html`<section aria-labelledby="versions"><h2 id="versions">${words.versions}</h2><ol>${versionRows}</ol>${
          versions.length > maxVersions
            ? html`<p><a href="${page}/versions">${words.allVersions(versions.length)}</a></p>`
            : nothing
        }${citeAllOf(record)}</section>`
      : nothing
  }${
    use && !isDraft
      ? html`<section aria-labelledby="use"><h2 id="use">${words.use}</h2><p>${words.views(
          use.unique_views ?? 0,
        )} · ${words.downloads(use.unique_downloads ?? 0)}</p></section>`
      : nothing
  }</aside>`;
}

const descriptionOf = (record: PresentedRecord): Html =>
  record.metadata.description
    ? html`<div class="prose" dir="auto"${languageOf(record)}>${proseOf(record.metadata.description)}</div>`
    : nothing;

/**
 * The landing page of a record, or the preview of a draft.
 * @param style of the citation: a short name.
 * @param declarations of the custom fields.
 */
export function recordPage(shown: ShownRecord, style: string, declarations: readonly CustomFieldDeclaration[]): Page {
  const { record } = shown;
  const ui = uiOf(record, words.language) as unknown as Ui;
  const { metadata } = record;
  const title = metadata.title || words.untitled;
  const isIndexed = shown.isPublic && !shown.isDraft;
  const unapi = isIndexed ? html`<abbr class="unapi-id" title="${record.id}" hidden></abbr>` : nothing;
  const body = html`<article class="record">${unapi}${headingOf(shown, title, ui)}${section(
    "abstract",
    words.abstract,
    html`${descriptionOf(record)}${otherDescriptionsOf(ui)}`,
  )}${sideOf(shown, style)}${section("files", words.files, html`${shown.files ? embargoReason(shown.record) : nothing}${filesOf(shown, ui)}${coverOf(shown)}`)}${section(
    "people",
    words.people,
    peopleOf(words, ui.contributors, "contributors", maxPeople(shown), peoplePageOf(shown)),
  )}${section(
    "details",
    words.details,
    html`${detailsOf(record, ui)}${customFieldsOf(record, declarations, spokenLanguage() ?? "en")}`,
  )}${section("related", words.related, relatedOf(ui))}</article>`;
  return { title, body, isIndexed, head: isIndexed ? headOf(shown) : [] };
}
