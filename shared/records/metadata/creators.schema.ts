import { agentSchemes } from "../../identifiers/scheme.schema.ts";
import { type Check, list, messages, object, presented, report, required } from "./field.schema.ts";
import { identifier, onePerScheme } from "./identifiers.schema.ts";
import { choice, text } from "./text.schema.ts";
import { entryId, vocabularyValue } from "./vocabulary-value.schema.ts";

const typeMessage = "Invalid value. Choose one of ['organizational', 'personal'].";

interface Names {
  type?: "personal" | "organizational";
  name?: string;
  given_name?: string;
  family_name?: string;
}

/** `family, given`, the family name alone, or the name of the organisation (records 8.2). */
export function displayName({ name, family_name, given_name, type }: Names): string | undefined {
  if (type !== "personal" || !family_name) return name;
  return given_name ? `${family_name}, ${given_name}` : family_name;
}

/** A person's name is made of its parts, an organisation has no parts; an incomplete person keeps what was sent. */
function keepOwnNames<V extends Names>(value: V): V {
  const kept = { ...value };
  if (kept.type === "personal" && kept.family_name) delete kept.name;
  if (kept.type === "organizational") {
    delete kept.given_name;
    delete kept.family_name;
  }
  return kept;
}

function checkNames(value: Names, path: string, check: Check): void {
  if (value.type === undefined) report(check, `${path}.type`, typeMessage);
  if (value.type === "personal" && !value.family_name) {
    report(check, `${path}.family_name`, "Family name cannot be blank.");
  }
  if (value.type === "organizational" && !value.name) report(check, `${path}.name`, "Name cannot be blank.");
}

const agentType = choice(["personal", "organizational"] as const, typeMessage);

const personObject = object(
  {
    type: agentType,
    name: text(),
    given_name: text(),
    family_name: text(),
    identifiers: list(identifier(agentSchemes), { rule: onePerScheme }),
  },
  { normalise: keepOwnNames, rule: checkNames },
);

const personOrOrg = presented(personObject, (value, lookups) => {
  const name = displayName(value);
  return { ...personObject.expand(value, lookups), ...(name === undefined ? {} : { name }) };
});

const affiliationObject = object(
  { id: entryId("affiliations"), name: text() },
  {
    // The instance's own name for an id replaces the sent one (interface.md, creators).
    normalise: (value) => (value.id === undefined ? value : { id: value.id }),
    rule: ({ id, name }, path, check) => {
      if (!id && !name) report(check, path, "An existing id or a free text name must be present.");
    },
  },
);

const affiliation = presented(affiliationObject, (value, lookups) => {
  const name = value.id === undefined ? value.name : lookups.findEntry("affiliations", value.id)?.name;
  return { ...value, ...(name === undefined ? {} : { name }) };
});

function checkAffiliations(values: { id?: string; name?: string }[], path: string, check: Check): void {
  const seen = new Set<string>();
  const duplicated = new Set<string>();
  for (const { id, name } of values) {
    const label = id === undefined ? name : (check.findEntry("affiliations", id)?.name ?? id);
    if (label === undefined) continue;
    if (seen.has(label)) duplicated.add(label);
    seen.add(label);
  }
  if (duplicated.size > 0) report(check, path, `Duplicated affiliations: ${[...duplicated].join(", ")}`);
}

const affiliations = list(affiliation, { rule: checkAffiliations });

/** `metadata.creators[]`: the role is optional. */
const creator = object({
  person_or_org: required(personOrOrg),
  role: vocabularyValue("creatorsroles"),
  affiliations,
});

/** `metadata.contributors[]`: the role is required. */
const contributor = object({
  person_or_org: required(personOrOrg),
  role: required(vocabularyValue("contributorsroles")),
  affiliations,
});

export const creators = list(creator, { emptyMessage: messages.missing });
export const contributors = list(contributor);
