/** A value of a YAML document. Undefined members are omitted. */
export type YamlValue = string | readonly YamlValue[] | { readonly [name: string]: YamlValue | undefined };

/** Characters that JSON leaves as they are and YAML does not print. */
const unprintable = /[\u007f-\u0084\u0086-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A double-quoted text of JSON is one of YAML too. */
const quoted = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function linesOf(value: YamlValue): string[] {
  if (typeof value === "string") return [quoted(value)];
  if (Array.isArray(value)) {
    return value.flatMap((item: YamlValue) => linesOf(item).map((line, at) => `${at === 0 ? "- " : "  "}${line}`));
  }
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return [];
    if (typeof member === "string") return [`${name}: ${quoted(member)}`];
    return [`${name}:`, ...linesOf(member).map((line) => `  ${line}`)];
  });
}

/** A YAML document in block style. Names of members are plain words. */
export const yamlOf = (value: YamlValue): string => `${linesOf(value).join("\n")}\n`;
