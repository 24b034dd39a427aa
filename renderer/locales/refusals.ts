/** Messages of the hosts in English, with their translations. `{}` marks a part that varies. */
type Catalogue = Readonly<Record<string, string>>;

/** Messages with parts that vary. */
type Pattern = readonly [message: RegExp, translation: string];

let whole: ReadonlyMap<string, string> = new Map();
let patterns: readonly Pattern[] = [];

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const patternOf = ([message, translation]: [string, string]): Pattern => [
  new RegExp(`^${message.split("{}").map(escaped).join("(.+?)")}$`, "s"),
  translation,
];

/** Sets the translations of refusals; empty for English. */
export function setRefusals(catalogue: Catalogue): void {
  const all = Object.entries(catalogue);
  whole = new Map(all.filter(([message]) => !message.includes("{}")));
  // The most exact first: `The server answered {}.` fits others that begin like it.
  const varied = all.filter(([message]) => message.includes("{}")).toSorted(([a], [b]) => b.length - a.length);
  patterns = varied.map(patternOf);
}

/** A host's message in the user's language; unchanged if there is no translation. */
export function translateRefusal(message: string): string {
  const known = whole.get(message);
  if (known !== undefined) return known;
  for (const [pattern, translation] of patterns) {
    const [, ...parts] = pattern.exec(message) ?? [];
    if (parts.length > 0) return translation.replaceAll("{}", () => parts.shift() ?? "");
  }
  return message;
}
