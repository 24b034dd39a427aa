import { queryOptions } from "@tanstack/react-query";
import type { CustomFieldDeclaration } from "../../shared/metadata/custom-fields.schema.ts";
import { get } from "./request.ts";

/** The declared custom fields, in the order in which forms and pages show them. */
export const customFieldsQuery = queryOptions({
  queryKey: ["custom-fields"],
  queryFn: async () => (await get<{ hits: { hits: CustomFieldDeclaration[] } }>("/api/custom-fields")).hits.hits,
  placeholderData: [],
});
