import { z } from "zod";
import { foundOrganisation, foundPerson, foundWork, lookupKinds } from "../../lookup/lookup.schema.ts";
import { named } from "./named.schema.ts";

export const lookupOffer = named(
  "LookupOffer",
  "Kinds of identifiers for which the operator named a service.",
  z.object({ kinds: z.array(z.enum(lookupKinds)) }),
);
export const lookupResult = named(
  "LookupResult",
  "A work as CSL-JSON, a person, or an organisation.",
  z.object({ kind: z.enum(lookupKinds), found: z.union([foundPerson, foundOrganisation, foundWork]) }),
);
