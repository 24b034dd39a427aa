import type { Language } from "../../shared/kernel/languages.schema.ts";
import { groupHeading, groupsOf, type Leaf, leafLabel, leafValue } from "../../shared/metadata/custom-field-groups.ts";
import type { CustomFieldDeclaration } from "../../shared/metadata/custom-fields.schema.ts";
import { type PresentedRecord, textIn } from "../../shared/representations/presented-record.ts";
import { edtfInWords } from "../../shared/representations/ui.ts";
import { type Html, html, nothing } from "./html.ts";
import { fact, identifierLink, link } from "./record-parts.ts";

interface Entry {
  id: string;
  title?: Record<string, string>;
}

function shownValue(type: Leaf["type"], value: unknown, language: Language): Html {
  if (type === "vocabulary") return html`${textIn((value as Entry).title, language) ?? (value as Entry).id}`;
  if (type === "identifier") return identifierLink(value as { identifier: string; scheme?: string });
  const text = String(value);
  if (type === "url") return link(text, text);
  return html`${type === "date" || type === "edtf" ? edtfInWords(text, "medium", language) : text}`;
}

/** The custom fields with a value, each section with a heading (records 8.4). */
export function customFieldsOf(
  { custom_fields: fields = {} }: PresentedRecord,
  declarations: readonly CustomFieldDeclaration[],
  language: Language,
): Html {
  const groups = groupsOf(declarations).map((group) => {
    const facts = group.leaves.map((leaf) => {
      const value = leafValue(fields, leaf);
      const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== "");
      return fact(
        leafLabel(leaf, language),
        values.map((one) => shownValue(leaf.type, one, language)),
      );
    });
    if (facts.every((one) => one === nothing)) return nothing;
    return html`<h3 class="sub">${groupHeading(group, language)}</h3><dl class="facts">${facts}</dl>`;
  });
  return html`${groups}`;
}
