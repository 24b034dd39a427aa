/** Saves what is behind an address of the API, as a link with `download` would. */
export function saveFile(href: string, name: string) {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}

/** Saves bytes that the page holds; they are let go when the browser has surely taken them. */
export function saveBlob(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob);
  saveFile(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
