import { type Crumb, crumbs, filterForm } from "../pages/file-parts.ts";
import { type Folder, fileRows, folderAt, folderOf, type ShownFile, sizeInWords } from "../pages/file-rows.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import type { Page } from "../pages/page-frame.ts";
import { pageLinks } from "../pages/page-links.ts";
import type { Words } from "../pages/words.ts";

export interface FileListQuery {
  /** The folder; empty for the root. */
  path: string;
  /** Text in names of files; empty: the folder itself. */
  text: string;
  page: number;
}

export interface FileList {
  /** The way back to the record. */
  record: Crumb;
  /** Address of the list of all files. */
  base: string;
  files: readonly ShownFile[];
}

const rowsATime = 50;

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** A link to a folder ends with a slash, so that programs which walk links can tell it from a file. */
const folderAddress = (base: string, path: string): string => (path === "" ? `${base}/` : `${base}/${encoded(path)}/`);

function folderRow(words: Words, base: string, { path, count, size }: Folder): Html {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return html`<li class="folder-row"><a href="${folderAddress(base, path)}">${name}/</a><span class="size">${words.folderSum(
    count,
    sizeInWords(size, words.language),
  )}</span></li>`;
}

const crumbsOf = (words: Words, { record, base }: FileList, path: string): Crumb[] => {
  const names = path === "" ? [] : path.split("/");
  return [
    record,
    { label: words.files, address: folderAddress(base, "") },
    ...names.map((label, at) => ({ label, address: folderAddress(base, names.slice(0, at + 1).join("/")) })),
  ];
};

/** The files of a record by folder, or those with a text in their names; undefined if there is no such folder. */
export function fileListPage(words: Words, list: FileList, { path, text, page }: FileListQuery): Page | undefined {
  const folder = folderAt(folderOf(list.files), path);
  if (!folder) return undefined;
  const wanted = text.toLowerCase();
  const isBelow = ({ key }: ShownFile) => path === "" || key.startsWith(`${path}/`);
  const folders = text === "" ? [...folder.folders.values()] : [];
  const files =
    text === "" ? folder.files : list.files.filter((file) => isBelow(file) && file.key.toLowerCase().includes(wanted));
  const count = folders.length + files.length;
  const pages = Math.max(1, Math.ceil(count / rowsATime));
  const start = (Math.min(page, pages) - 1) * rowsATime;
  const shownFolders = folders.slice(start, start + rowsATime);
  const firstFile = Math.max(0, start - folders.length);
  const shownFiles = files.slice(firstFile, Math.max(0, start + rowsATime - folders.length));
  const addressOf = (number: number) => {
    const query = new URLSearchParams([
      ...(text === "" ? [] : [["q", text]]),
      ...(number === 1 ? [] : [["page", String(number)]]),
    ]).toString();
    return `${folderAddress(list.base, path)}${query === "" ? "" : `?${query}`}`;
  };
  const name = path.slice(path.lastIndexOf("/") + 1);
  const heading = path === "" ? words.files : `${name}/`;
  const sum = words.folderSum(folder.count, sizeInWords(folder.size, words.language));
  const nothingFound = count === 0 ? html`<p>${text === "" ? words.noFiles : words.noFileMatches}</p>` : nothing;
  return {
    title: `${heading} · ${list.record.label}`,
    body: html`<div class="wide">${crumbs(words, crumbsOf(words, list, path).slice(0, path === "" ? 1 : -1))}<h1>${heading}</h1><p class="meta"><span>${sum}</span></p>${
      folder.count > rowsATime || text !== ""
        ? filterForm(words, { action: folderAddress(list.base, path), text, hidden: {} })
        : nothing
    }${nothingFound}${
      shownFolders.length > 0
        ? html`<ul class="files">${shownFolders.map((one) => folderRow(words, list.base, one))}</ul>`
        : nothing
    }${shownFiles.length > 0 ? fileRows(words, shownFiles, text === "" ? path : "") : nothing}${pageLinks(
      Math.min(page, pages),
      pages,
      addressOf,
    )}</div>`,
  };
}
