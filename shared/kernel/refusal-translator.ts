/**
 * Messages of the hosts in English, with their translations. `{}` marks a part that varies. A translation carries it over
 * as it is, since it may be a name, or translated where it says `{~}`; `{2}` and `{2~}` name a part by its number.
 */
type Catalogue = Readonly<Record<string, string>>;

/** Messages with parts that vary. */
type Pattern = readonly [message: RegExp, translation: string];

/**
 * A host's message in another language; unchanged if there is no translation.
 * @param wordsOf translates parts that are no messages themselves.
 */
export type RefusalTranslator = (message: string, wordsOf?: (part: string) => string) => string;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const patternOf = ([message, translation]: [string, string]): Pattern => [
  new RegExp(`^${message.split("{}").map(escaped).join("(.+?)")}$`, "s"),
  translation,
];

export function refusalTranslator(catalogue: Catalogue): RefusalTranslator {
  const all = Object.entries(catalogue);
  const whole = new Map(all.filter(([message]) => !message.includes("{}")));
  // The most exact first: `The server answered {}.` fits others that begin like it.
  const varied = all.filter(([message]) => message.includes("{}")).toSorted(([a], [b]) => b.length - a.length);
  const patterns = varied.map(patternOf);
  const translate: RefusalTranslator = (message, wordsOf = (part) => part) => {
    const known = whole.get(message);
    if (known !== undefined) return known;
    for (const [pattern, translation] of patterns) {
      const [, ...parts] = pattern.exec(message) ?? [];
      if (parts.length === 0) continue;
      let next = 0;
      return translation.replace(/\{(\d?)(~?)\}/g, (_place, number: string, mark: string) => {
        const part = parts[number === "" ? next++ : Number(number) - 1] ?? "";
        return mark === "" ? part : translate(wordsOf(part));
      });
    }
    return message;
  };
  return translate;
}
