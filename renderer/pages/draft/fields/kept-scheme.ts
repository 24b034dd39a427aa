import { detectScheme, isValidIdentifier, workSchemes } from "../../../../shared/identifiers/scheme.schema.ts";

/**
 * The scheme that an edited identifier keeps. The API finds the scheme of another text; the one before stays if none is found
 * and it takes the text, as `other` does.
 */
export function keptScheme(before: Readonly<Record<string, unknown>>, identifier: string): { scheme?: string } {
  const { scheme, identifier: old } = before;
  if (typeof scheme !== "string") return {};
  if (identifier === old) return { scheme };
  if (detectScheme(identifier, workSchemes)) return {};
  const name = workSchemes.find((one) => one === scheme);
  return name && isValidIdentifier(name, identifier) ? { scheme } : {};
}
