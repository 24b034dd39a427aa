import { customFieldDeclaration } from "../../metadata/custom-fields.schema.ts";
import { plainListOf } from "./common.schema.ts";
import { named } from "./named.schema.ts";

const declaration = named("CustomField", "A custom field that this repository has.", customFieldDeclaration);

export const customFieldList = named("CustomFieldList", "The declared custom fields.", plainListOf(declaration));
