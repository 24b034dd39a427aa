/** Saves what is behind an address of the API, as a link with `download` would. */
export function saveFile(href: string, name: string) {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}
