import type { TFunction } from "i18next";
import en from "../../locales/en.json" with { type: "json" };

type Work = keyof typeof en.sync.did;

const slots: Record<string, string> = {
  title: `(?<title>“.*”|${en.sync.of.untitled}|${en.sync.of.request})`,
  name: "(?<name>.+)",
  number: String.raw`(?<number>\d+)`,
};
const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.replace(/\{\{(\w+)\}\}/g, (_, slot: string) => slots[slot] ?? "")}$`, "su");
// In their order: "Add 3 files to …" is not a file named "3 files".
const patterns = Object.entries(en.sync.did).map(([work, text]) => ({ work: work as Work, pattern: patternOf(text) }));

function objectWords(t: TFunction, title: string): string {
  if (title === en.sync.of.untitled) return t("sync.of.untitled");
  if (title === en.sync.of.request) return t("sync.of.request");
  return t("sync.of.titled", { title: title.slice(1, -1) });
}

/** The title of an operation in the language of the app. The host composes it in English; an unknown one stays. */
export function operationWords(t: TFunction, title: string): string {
  for (const { work, pattern } of patterns) {
    const found = pattern.exec(title);
    if (!found) continue;
    const { title: object = "", name = "", number = "" } = found.groups ?? {};
    return t(`sync.did.${work}`, { title: objectWords(t, object), name, number });
  }
  return title;
}
