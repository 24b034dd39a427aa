import { type Html, html, nothing } from "./html.ts";
import type { Words } from "./words.ts";

export interface ShownFile {
  key: string;
  /** In bytes. */
  size: number;
  /** 64 hexadecimal digits. */
  sha256?: string;
  /** Address of its content. */
  address: string;
  /** Address of its page; drafts have none. */
  page?: string;
}

/** Files and folders of a folder. */
export interface Folder {
  /** The whole path, without slash at the end; empty for the root. */
  path: string;
  files: ShownFile[];
  folders: Map<string, Folder>;
  /** The number of files below, and their size in bytes. */
  count: number;
  size: number;
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

const amountFormats = new Map<string, Intl.NumberFormat>();

/** Made once for each language of the pages, since making one takes longer than the row of a file. */
function amountFormat(language: string, unit: string): Intl.NumberFormat {
  const known = amountFormats.get(`${language} ${unit}`);
  if (known) return known;
  const isBytes = unit === "byte";
  const digits = isBytes ? 0 : 1;
  const made = new Intl.NumberFormat(language, {
    ...{ style: "unit", unit, unitDisplay: isBytes ? "long" : "short" },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
  amountFormats.set(`${language} ${unit}`, made);
  return made;
}

/** `20.2 kB`, `1 byte`; in German `20,2 kB`, `19 Byte`. */
export function sizeInWords(bytes: number, language: string): string {
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return amountFormat(language, units[power] ?? "byte").format(bytes / 1000 ** power);
}

const newFolder = (path: string): Folder => ({ path, files: [], folders: new Map(), count: 0, size: 0 });

/** The folders that the names of files tell. */
export function folderOf(files: readonly ShownFile[]): Folder {
  const root = newFolder("");
  for (const file of files) {
    const names = file.key.split("/").slice(0, -1);
    let folder = root;
    for (const name of ["", ...names]) {
      if (folder !== root || name !== "") {
        const path = folder.path === "" ? name : `${folder.path}/${name}`;
        const inner = folder.folders.get(name) ?? newFolder(path);
        folder.folders.set(name, inner);
        folder = inner;
      }
      folder.count += 1;
      folder.size += file.size;
    }
    folder.files.push(file);
  }
  return root;
}

/** The folder of a path; undefined if no file is in it. */
export const folderAt = (root: Folder, path: string): Folder | undefined =>
  path === "" ? root : path.split("/").reduce<Folder | undefined>((folder, name) => folder?.folders.get(name), root);

const withDownload = (address: string): string => `${address}${address.includes("?") ? "&" : "?"}download=1`;

/** The folder part of a name is dim. @param within path of the folder that is shown. */
function nameOf(key: string, within: string): Html {
  const name = within === "" ? key : key.slice(within.length + 1);
  const start = name.lastIndexOf("/") + 1;
  return html`${start > 0 ? html`<span class="folder">${name.slice(0, start)}</span>` : nothing}${name.slice(start)}`;
}

/** Rows of files with their sizes and downloads. */
export const fileRows = (words: Words, files: readonly ShownFile[], within = ""): Html =>
  html`<ul class="files">${files.map(
    ({ key, size, address, page }) =>
      html`<li class="file"><a href="${page ?? address}">${nameOf(key, within)}</a><span class="size">${sizeInWords(
        size,
        words.language,
      )}</span><a href="${withDownload(address)}" aria-label="${words.download} ${key}">${words.download}</a></li>`,
  )}</ul>`;

/** Folders to open in place, then files; `left` rows at most. Rows that are seen at once come before those inside. */
export function folderTree(words: Words, folder: Folder, left: { rows: number }): Html {
  const take = <Row>(all: readonly Row[]): Row[] => {
    const taken = all.slice(0, left.rows);
    left.rows -= taken.length;
    return taken;
  };
  const inside = take([...folder.folders.entries()]);
  const files = take(folder.files);
  const folders = inside.map(([name, inner]) => {
    return html`<li><details><summary><span>${name}/</span><span class="size">${words.folderSum(
      inner.count,
      sizeInWords(inner.size, words.language),
    )}</span></summary>${folderTree(words, inner, left)}</details></li>`;
  });
  return html`${folders.length > 0 ? html`<ul class="folders">${folders}</ul>` : nothing}${
    files.length > 0 ? fileRows(words, files, folder.path) : nothing
  }`;
}
