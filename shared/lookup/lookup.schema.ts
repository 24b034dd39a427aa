import { z } from "zod";

export const lookupKinds = ["doi", "orcid", "ror"] as const;
export type LookupKind = (typeof lookupKinds)[number];

/** The address of a service, with `{id}` where the identifier stands. */
const serviceAddress = z
  .string()
  .max(500)
  .refine((text) => text.split("{id}").length === 2, "an address with {id} in one place is expected")
  .regex(/^https?:\/\/[a-z0-9.:[\]-]+\/[^\s#@]*$/i, "an http or https address without a password is expected");

/**
 * Services that know identifiers. There are none by default. The server calls only these hosts. Only those named in
 * `private_hosts` may have an address inside the operator's network.
 */
export const lookupSettings = z
  .strictObject({
    /** Services such as Crossref and DataCite, which answer CSL-JSON for a DOI. They are tried in this order. */
    doi: z.array(serviceAddress).max(5).default([]),
    /** Answers a record of ORCID's public API 3.0. */
    orcid: z.array(serviceAddress).max(5).default([]),
    /** Answers an organisation of ROR's API 2. */
    ror: z.array(serviceAddress).max(5).default([]),
    private_hosts: z.array(z.string().min(1).max(255)).max(10).default([]),
  })
  .prefault({});

const text = z.string().max(2000);
/** A work as CSL-JSON. Members that are not named here are kept. */
export const foundWork = z.looseObject({ title: z.union([z.string(), z.array(z.string())]).optional() });
export const foundPerson = z.object({
  orcid: z.string(),
  family_name: text,
  given_name: text,
  affiliations: z.array(text).max(20),
});
export const foundOrganisation = z.object({ ror: z.string(), name: text, country: text.optional() });
export type FoundPerson = z.infer<typeof foundPerson>;
export type FoundOrganisation = z.infer<typeof foundOrganisation>;
