import { useTranslation } from "react-i18next";
import { readPath } from "../../../shared/documents/path-text.ts";
import type { Creator, RecordBody } from "../../api-client/record-types.ts";
import type { Conflict } from "../../api-client/sync-types.ts";
import { useFieldLabel } from "../../components/use-field-label.ts";
import { personName } from "../../format/names.ts";

/** The form field of a conflict, and the keys of the way on from there. */
export function placeOf({ path }: Pick<Conflict, "path">): { field: string; inner: string[] } {
  const [root = "", ...rest] = readPath(path);
  if (root === "custom_fields") return { field: `${root}.${rest.join(".")}`, inner: [] };
  const [field = root, ...inner] = root === "metadata" ? rest : [root, ...rest];
  return { field, inner };
}

/** The names of the parts of an item of a list. */
const parts = {
  role: "creators.role",
  affiliations: "creators.affiliations",
  family_name: "creators.family_name",
  given_name: "creators.given_name",
  name: "creators.org_name",
  identifiers: "draft.identifier",
  relation_type: "draft.relation",
  resource_type: "draft.resource_type",
  type: "draft.kind",
  title: "draft.title",
  description: "draft.description",
} as const;
const isPart = (key: string): key is keyof typeof parts => Object.hasOwn(parts, key);

/** The person that a key of a list stands for: it is made of an identifier or of the name. */
function isKeyOf(key: string, { person_or_org: person = {} }: Creator): boolean {
  const ids = (person.identifiers ?? []).map(({ scheme, identifier }) => `${scheme}:${identifier}`);
  return [...ids, `name:${personName(person)}`].some((name) => name.toLowerCase() === key);
}

/** What the key of an item says to a user; of one that is a digest, nothing. */
function wordsOfKey(key: string, people: readonly Creator[]): string {
  const plain = key.replace(/~\d+$/, "");
  const person = people.find((one) => isKeyOf(plain, one));
  if (person) return personName(person.person_or_org);
  return plain.includes(":") ? plain.slice(plain.indexOf(":") + 1) : "";
}

/** Names the place of a conflict: its field, and what it is within the field, such as `Curie, Marie, Role`. */
export function usePlaceWords() {
  const { t } = useTranslation();
  const labelOf = useFieldLabel();
  return (conflict: Pick<Conflict, "path">, metadata: Partial<RecordBody["metadata"]> | undefined) => {
    const { field, inner } = placeOf(conflict);
    const [item, ...way] = inner;
    const people = field === "creators" || field === "contributors" ? (metadata?.[field] ?? []) : [];
    const named = way.filter(isPart).map((key) => t(parts[key]));
    const within = [item === undefined ? "" : wordsOfKey(item, people), ...named].filter(Boolean).join(", ");
    return { within, whole: [labelOf(field), within].filter(Boolean).join(", ") };
  };
}
