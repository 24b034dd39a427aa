import { z } from "zod";
import {
  detectScheme,
  isValidIdentifier,
  normaliseIdentifier,
  type SchemeName,
  schemeLabel,
} from "../identifiers/scheme.schema.ts";
import { type AnyField, type Check, type ListRule, list, messages, object, report } from "./field.schema.ts";
import { fold, type ItemNames, part, word } from "./place.schema.ts";
import { text } from "./text.schema.ts";

interface IdentifierValue {
  identifier?: string;
  scheme?: string;
}

const schemeMember = (allowed: readonly SchemeName[]) => ({
  ...text(),
  shape: z.string().describe(`One of ${allowed.join(", ")}; detected when absent`),
});

/** Detects an absent scheme, puts the scheme in lower case and the value in normal form. Invalid values stay as sent. */
function normalise<V extends IdentifierValue>(value: V, allowed: readonly SchemeName[]): V {
  const { identifier } = value;
  const sent = value.scheme?.toLowerCase();
  const guessed = sent === undefined && identifier ? detectScheme(identifier, allowed) : undefined;
  const scheme = allowed.find((name) => name === (sent ?? guessed));
  const known = sent === undefined && scheme === undefined ? value : { ...value, scheme: scheme ?? sent };
  if (!scheme || identifier === undefined || !isValidIdentifier(scheme, identifier)) return known;
  return { ...known, identifier: normaliseIdentifier(scheme, identifier) };
}

function checkIdentifier(value: IdentifierValue, allowed: readonly SchemeName[], path: string, check: Check): void {
  const { identifier = "", scheme } = value;
  const name = allowed.find((candidate) => candidate === scheme);
  if (scheme !== undefined && name === undefined) report(check, `${path}.scheme`, "Invalid scheme.");
  else if (name !== undefined && !isValidIdentifier(name, identifier)) {
    report(check, `${path}.identifier`, `Invalid ${schemeLabel(name)} identifier.`);
  } else if (identifier === "") report(check, `${path}.identifier`, messages.missing);
  else if (name === undefined) report(check, `${path}.scheme`, "No valid scheme recognized for identifier.");
}

interface IdentifiedOptions {
  /** The pair may be absent, as in references. */
  isOptional?: boolean;
  /** In documents, the pair comes before the other members. */
  isFirstInDocuments?: boolean;
}

/**
 * An object with `{identifier, scheme?}` and further members (records 8.3). An invalid pair is stored as sent, so that
 * its author can correct it.
 */
export function identified<M extends Record<string, AnyField>>(
  allowed: readonly SchemeName[],
  others: M,
  { isOptional = false, isFirstInDocuments = false }: IdentifiedOptions = {},
) {
  const pair = { identifier: { ...text(), isRequired: !isOptional }, scheme: schemeMember(allowed) };
  return object(
    { ...others, ...pair },
    {
      normalise: (value) => normalise(value, allowed),
      rule: (value, path, check) => {
        const sent: IdentifierValue = value;
        if (isOptional && sent.identifier === undefined && sent.scheme === undefined) return;
        checkIdentifier(sent, allowed, path, check);
      },
      orderInAnswers: ["identifier", "scheme"],
      orderInDocuments: isFirstInDocuments ? ["identifier", "scheme"] : [],
    },
  );
}

/** `scheme:identifier`: items with the same pair are the same item. */
export const identifierNames: ItemNames = (item) => {
  const name = fold(word(part(item, "identifier")));
  return name === "" ? [] : [`${fold(word(part(item, "scheme")))}:${name}`];
};

/** A list of `{identifier, scheme?}` without further members. */
export const identifiersOf = (allowed: readonly SchemeName[], rule?: ListRule<IdentifierValue>) =>
  list(identified(allowed, {}), { ...(rule ? { rule } : {}), namesOf: identifierNames, renames: false });

/** Reports a second identifier of one scheme: persons, organisations and places have at most one. */
export function onePerScheme(values: IdentifierValue[], path: string, check: Check): void {
  const named = values.map(({ scheme }) => scheme).filter((scheme) => scheme !== undefined);
  if (new Set(named).size < named.length) report(check, path, "Only one identifier per scheme is allowed.");
}

/** Reports duplicates of scheme and value. */
export function noDuplicates(values: IdentifierValue[], path: string, check: Check): void {
  const pairs = values.filter((value) => value.identifier).map((value) => `${value.scheme}:${value.identifier}`);
  if (new Set(pairs).size < pairs.length) report(check, path, "Duplicated identifier entry is not allowed.");
}
