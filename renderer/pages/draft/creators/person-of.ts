import type { Creator, PersonOrOrg } from "../../../api-client/record-types.ts";

/** The person, or an empty one: a draft may have a creator without data. */
export const personOf = ({ person_or_org }: Creator): PersonOrOrg => person_or_org ?? { type: "personal" };

/** The identifier of a scheme, such as `orcid`; empty without one. */
export const identifierOf = (creator: Creator, scheme: "orcid" | "ror"): string =>
  personOf(creator).identifiers?.find((one) => one.scheme === scheme)?.identifier ?? "";
