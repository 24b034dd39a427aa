import type { ContainerService, Place } from "../../shared/containers/container.service.ts";
import { rootDirectory } from "../../shared/containers/container-index.ts";
import type { ContainerListing } from "../../shared/containers/container-listing.ts";
import type { ContainerTree } from "../../shared/containers/container-tree.ts";
import type { FileEntryRow } from "../../shared/database/schema.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { crumbs, filterForm } from "../pages/file-parts.ts";
import { sizeInWords } from "../pages/file-rows.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { beyondLast, pageLinks } from "../pages/page-links.ts";
import { refusalInWords } from "../pages/refusal-words.ts";
import type { Words } from "../pages/words.ts";

export interface ArchiveQuery {
  /** A folder in the archive; empty for its root. */
  path: string;
  text: string;
  page: number;
}

export interface ShownArchive {
  entry: FileEntryRow;
  /** Address of the file's page. */
  page: string;
  /** Address of the archive's content in the API. */
  container: string;
}

const rowsATime = 100;
const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

function addressOf(page: string, path: string, text = "", number = 1): string {
  const query = new URLSearchParams([
    ...(path === "" ? [] : [["path", path]]),
    ...(text === "" ? [] : [["q", text]]),
    ...(number === 1 ? [] : [["page", String(number)]]),
  ]).toString();
  return query === "" ? page : `${page}?${query}`;
}

interface Shown {
  words: Words;
  archive: ShownArchive;
  tree: ContainerTree;
  query: ArchiveQuery;
}

function directoryRow({ words, archive, tree }: Shown, directory: number): Html {
  const key = tree.directoryKeyOf(directory);
  const { files, sizeBytes } = tree.totalsOf(directory);
  const name = key.slice(key.lastIndexOf("/") + 1);
  const download =
    tree.firstUnreadable(directory) === undefined
      ? html`<a href="${archive.container}/${encoded(key)}/" rel="nofollow" aria-label="${words.downloadZip} ${key}">${words.downloadZip}</a>`
      : nothing;
  return html`<li class="folder-row"><a rel="nofollow" href="${addressOf(archive.page, key)}">${name}/</a><span class="size">${words.folderSum(
    files,
    sizeInWords(sizeBytes, words.language),
  )}</span>${download}</li>`;
}

function memberRow({ words, archive, tree, query }: Shown, file: number): Html {
  const { key, sizeBytes, isEncrypted, isRefused } = tree.member(file);
  const name = query.text === "" ? key.slice(key.lastIndexOf("/") + 1) : key;
  const reason = isRefused ? words.archive.refused : isEncrypted ? words.archive.encrypted : undefined;
  const size = html`<span class="size">${sizeInWords(sizeBytes, words.language)}</span>`;
  if (reason)
    return html`<li class="file"><span class="name">${name}</span><span class="size">${reason}</span>${size}</li>`;
  const address = `${archive.container}/${encoded(key)}`;
  return html`<li class="file"><span class="name">${name}</span>${size}<a href="${address}" rel="nofollow" aria-label="${words.download} ${key}">${words.download}</a></li>`;
}

function listing(shown: Shown, { files, directories, total }: ContainerListing, directoryCount: number): Html {
  const { words, archive, query } = shown;
  const { path, text, page } = query;
  const rows = text === "" ? directories : [];
  const pages = Math.ceil(Math.max(total, text === "" ? directoryCount : 0) / rowsATime);
  const numbered = (number: number) => addressOf(archive.page, path, text, number);
  if (page > pages && pages > 0) return beyondLast(page, pages, numbered);
  const isEmpty = rows.length === 0 && files.length === 0;
  const nothingHere = text === "" ? words.archive.empty : words.noFileMatches;
  const list = html`<ul class="files">${rows.map(({ directory }) => directoryRow(shown, directory))}${files.map(
    (file) => memberRow(shown, file),
  )}</ul>`;
  return html`${isEmpty ? html`<p>${nothingHere}</p>` : list}${pageLinks(page, pages, numbered)}`;
}

function wayTo({ words, archive, query }: Shown): Html {
  const name = archive.entry.key.slice(archive.entry.key.lastIndexOf("/") + 1);
  const names = query.path === "" ? [] : query.path.split("/");
  if (names.length === 0) return nothing;
  const steps = names.map((label, at) => ({
    label,
    address: addressOf(archive.page, names.slice(0, at + 1).join("/")),
  }));
  return crumbs(words, [{ label: name, address: archive.page }, ...steps], words.archive.way);
}

/** The reason why an archive cannot be read. */
const brokenPart = (words: Words, { message }: Failure): Html =>
  html`<p class="notice">${words.archive.broken} ${refusalInWords(message)}</p>`;

/**
 * The inside of a ZIP by folder: folders first, a filter, and downloads of members and folders; undefined if there is no
 * such folder.
 */
export async function archivePart(
  containers: ContainerService,
  words: Words,
  archive: ShownArchive,
  query: ArchiveQuery,
): Promise<Html | undefined> {
  let tree: ContainerTree;
  try {
    tree = await containers.open(archive.entry);
  } catch (error) {
    if (error instanceof Failure && error.status === 400) return brokenPart(words, error);
    throw error;
  }
  const place: Place | undefined =
    query.path === "" ? { tree, directory: rootDirectory } : containers.find(tree, `${query.path}/`);
  if (place?.directory === undefined) return undefined;
  const { directory } = place;
  const request = { isFlat: query.text === "", text: query.text, page: query.page, size: rowsATime };
  const shown = { words, archive, tree, query };
  const found = await containers.list(tree, directory, request);
  const { files, sizeBytes } = tree.totalsOf(directory);
  const hasFilter = files > 10 || query.text !== "";
  return html`${wayTo(shown)}<p class="meta"><span>${words.folderSum(
    files,
    sizeInWords(sizeBytes, words.language),
  )}</span></p>${
    hasFilter ? filterForm(words, { action: archive.page, text: query.text, hidden: { path: query.path } }) : nothing
  }${listing(shown, found, tree.directoriesIn(directory).length)}`;
}
