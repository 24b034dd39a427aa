import { z } from "zod";
import {
  detectScheme,
  isValidIdentifier,
  normaliseIdentifier,
  type SchemeName,
  schemeLabel,
} from "../../identifiers/scheme.schema.ts";
import { type AnyField, type Check, messages, object, report } from "./field.schema.ts";
import { text } from "./text.schema.ts";

interface IdentifierValue {
  identifier?: string;
  scheme?: string;
}

const schemeMember = (allowed: readonly SchemeName[]) => ({
  ...text(),
  shape: z.string().describe(`One of ${allowed.join(", ")}; detected when absent`),
});

/** Scheme in lower case and guessed when absent, value in its normal form; what is wrong stays as sent. */
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

/**
 * An object with `{identifier, scheme?}` and further members (records 8.3). An invalid pair stays as sent, so that
 * its author can mend it. `isOptional`: the pair may be absent, as in references.
 */
export function identified<M extends Record<string, AnyField>>(
  allowed: readonly SchemeName[],
  others: M,
  { isOptional = false } = {},
) {
  const members = { identifier: { ...text(), isRequired: !isOptional }, scheme: schemeMember(allowed) };
  return object(
    { ...others, ...members },
    {
      normalise: (value) => normalise(value, allowed),
      rule: (value, path, check) => {
        const pair: IdentifierValue = value;
        if (isOptional && pair.identifier === undefined && pair.scheme === undefined) return;
        checkIdentifier(pair, allowed, path, check);
      },
    },
  );
}

/** `{identifier, scheme?}` alone. */
export const identifier = (allowed: readonly SchemeName[]) => identified(allowed, {});

/** Persons, organisations and places have one identifier of a scheme at most. */
export function onePerScheme(values: IdentifierValue[], path: string, check: Check): void {
  const named = values.map(({ scheme }) => scheme).filter((scheme) => scheme !== undefined);
  if (new Set(named).size < named.length) report(check, path, "Only one identifier per scheme is allowed.");
}

/** The same scheme and value may be listed once. */
export function noDuplicates(values: IdentifierValue[], path: string, check: Check): void {
  const pairs = values.filter((value) => value.identifier).map((value) => `${value.scheme}:${value.identifier}`);
  if (new Set(pairs).size < pairs.length) report(check, path, "Duplicated identifier entry is not allowed.");
}
