import { agentSchemes } from "../../identifiers/scheme.schema.ts";
import {
  type Check,
  described,
  list,
  messages,
  object,
  presented,
  report,
  required,
  searched,
} from "../field.schema.ts";
import { identifierNames, identifiersOf, onePerScheme } from "../identifiers.schema.ts";
import { fold, type ItemNames, namedBy, part, word } from "../place.schema.ts";
import { choice, text } from "../text.schema.ts";
import { entryId, vocabularyValue } from "../vocabulary-value.schema.ts";

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

/** Makes a person's name from its parts and removes parts from an organisation. An incomplete person stays as sent. */
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
    name: described(text(), "`family, given`, or the organisation's"),
    given_name: text(),
    family_name: text(),
    identifiers: identifiersOf(agentSchemes, onePerScheme),
  },
  { normalise: keepOwnNames, rule: checkNames },
);

const personOrOrg = presented(personObject, personObject.answer, (value, lookups) => {
  const name = displayName(value);
  return { ...personObject.expand(value, lookups), ...(name === undefined ? {} : { name }) };
});

const affiliationObject = object(
  { id: entryId("affiliations"), name: text() },
  {
    // The instance's own name for an id replaces the one in the request (interface.md, creators).
    normalise: (value) => (value.id === undefined ? value : { id: value.id }),
    rule: ({ id, name }, path, check) => {
      if (!id && !name) report(check, path, "An existing id or a free text name must be present.");
    },
  },
);

const affiliation = presented(affiliationObject, affiliationObject.answer, (value, lookups) => {
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

const affiliations = list(affiliation, {
  rule: checkAffiliations,
  namesOf: namedBy("id", "name"),
  renames: false,
});

/** `metadata.creators[]`: the role is optional. */
const creator = described(
  object({
    person_or_org: required(personOrOrg),
    role: vocabularyValue("creatorsroles"),
    affiliations,
  }),
  "A person or organisation with role and affiliations.",
);

/** A creator or contributor in answers. */
export const agentAnswer = creator.answer;

/** `metadata.contributors[]`: the role is required. */
const contributor = {
  ...object({
    person_or_org: required(personOrOrg),
    role: required(vocabularyValue("contributorsroles")),
    affiliations,
  }),
  answer: agentAnswer,
};

/** A person is recognized by identifiers, else by name. */
const agentNames: ItemNames = (item) => {
  const person = part(item, "person_or_org");
  const identifiers = part(person, "identifiers");
  const ids = Array.isArray(identifiers) ? identifiers.flatMap(identifierNames).sort() : [];
  const parts = [word(part(person, "family_name")), word(part(person, "given_name"))].filter((name) => name !== "");
  const name = parts.length > 0 ? parts.join(", ") : word(part(person, "name"));
  return name === "" ? ids : [...ids, `name:${fold(name)}`];
};

export const creators = searched(list(creator, { emptyMessage: messages.missing, namesOf: agentNames }), {
  "metadata.creators.person_or_org.name": { kind: "joined", bareWords: { weight: 3, column: 6 } },
  "metadata.creators.person_or_org.family_name": { kind: "text", bareWords: { weight: 1, column: 7 } },
  "metadata.creators.person_or_org.given_name": { kind: "text", bareWords: { weight: 1, column: 8 } },
  "metadata.creators.person_or_org.identifiers.identifier": { kind: "keyword" },
  "metadata.creators.affiliations.name": { kind: "joined", bareWords: { weight: 1, column: 9 } },
});
export const contributors = searched(list(contributor, { namesOf: agentNames }), {
  "metadata.contributors.person_or_org.name": { kind: "text", bareWords: { weight: 2, column: 10 } },
  "metadata.contributors.person_or_org.family_name": { kind: "text", bareWords: { weight: 1, column: 11 } },
  "metadata.contributors.person_or_org.given_name": { kind: "text", bareWords: { weight: 1, column: 12 } },
  "metadata.contributors.affiliations.name": { kind: "joined", bareWords: { weight: 1, column: 13 } },
});
