import { z } from "zod";
import { type CustomFieldDeclaration, customFieldDeclaration } from "./custom-fields.schema.ts";

const text = (...names: string[]) => names.map((name) => ({ name, type: "text" as const }));
const edtf = (...names: string[]) => names.map((name) => ({ name, type: "edtf" as const }));

/** The sets of fields that InvenioRDM ships, under its names (records 8.4; findings, app H8). */
const sets = {
  journal: [
    {
      name: "journal:journal",
      type: "object",
      fields: [...text("title", "volume", "issue", "pages"), { name: "issn", type: "issn" }],
    },
  ],
  imprint: [
    {
      name: "imprint:imprint",
      type: "object",
      fields: [...text("title"), { name: "isbn", type: "isbn" }, ...text("pages", "place", "edition")],
    },
  ],
  meeting: [
    {
      name: "meeting:meeting",
      type: "object",
      fields: [
        ...text("title", "acronym", "dates", "place"),
        { name: "url", type: "url" },
        ...text("session", "session_part"),
        { name: "identifiers", type: "identifier", is_list: true },
      ],
    },
  ],
  thesis: [
    {
      name: "thesis:thesis",
      type: "object",
      fields: [...text("university", "department", "type"), ...edtf("date_submitted", "date_defended")],
    },
    { name: "thesis:university", type: "text", superseded_by: "thesis:thesis" },
  ],
  code: [
    { name: "code:codeRepository", type: "url" },
    { name: "code:programmingLanguage", type: "vocabulary", vocabulary: "code:programmingLanguages", is_list: true },
    { name: "code:developmentStatus", type: "vocabulary", vocabulary: "code:developmentStatus" },
  ],
} as const;

const setNames = Object.keys(sets) as [keyof typeof sets, ...(keyof typeof sets)[]];
/** Which of the sets a repository has; all of them unless the operator chooses. */
export const customFieldSets = z.array(z.enum(setNames)).default(setNames);

const declarations = new Map(setNames.map((set) => [set, z.array(customFieldDeclaration).parse(sets[set])] as const));

interface CustomFieldSettings {
  custom_field_sets: readonly (keyof typeof sets)[];
  custom_fields: readonly CustomFieldDeclaration[];
}

const declared = new WeakMap<CustomFieldSettings, readonly CustomFieldDeclaration[]>();

/**
 * The chosen sets, then the operator's own fields. A field of the operator replaces one of a set that has its name. The
 * same settings give the same list, for which `custom-fields.schema.ts` keeps the built fields.
 */
export function declaredCustomFields(settings: CustomFieldSettings): readonly CustomFieldDeclaration[] {
  const known = declared.get(settings);
  if (known) return known;
  const all = [...settings.custom_field_sets.flatMap((set) => declarations.get(set) ?? []), ...settings.custom_fields];
  const list = [...new Map(all.map((declaration) => [declaration.name, declaration])).values()];
  declared.set(settings, list);
  return list;
}
