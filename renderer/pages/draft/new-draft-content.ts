import { queryOptions } from "@tanstack/react-query";
import { type DraftDefaults, defaultsQuery } from "../../api-client/draft-defaults.ts";
import { selfQuery } from "../../api-client/profile.ts";
import { queryClient } from "../../api-client/query-client.ts";
import type { Creator, Envelope, Metadata, RecordBody } from "../../api-client/record-types.ts";
import { ApiFailure, get } from "../../api-client/request.ts";
import type { UserView } from "../../api-client/request-types.ts";
import { normaliseOrcid } from "./creators/orcid.ts";
import { parsePeople } from "./creators/parse-people.ts";

/** A day in the user's own time zone. */
export function localDay(now: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

type Profile = NonNullable<UserView["profile"]> & { orcid?: string | null | undefined };

/** The user as the first creator; undefined while the profile has no name, as in a library without accounts. */
export function creatorOf(profile: Profile): Creator | undefined {
  const [person] = parsePeople((profile.full_name ?? "").replace(/[;\r\n()]/g, " "));
  if (!person) return undefined;
  const orcid = normaliseOrcid(profile.orcid ?? "");
  const affiliations = (profile.affiliations ?? "")
    .split(/[;\n]/)
    .map((name) => ({ name: name.trim() }))
    .filter(({ name }) => name !== "");
  return {
    ...person,
    person_or_org: {
      ...person.person_or_org,
      ...(orcid ? { identifiers: [{ scheme: "orcid", identifier: orcid }] } : {}),
    },
    ...(affiliations.length > 0 ? { affiliations } : {}),
  };
}

/** What cannot be read is left out: a default must not keep a draft from being made. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiFailure) return undefined;
    throw error;
  }
}

/** The user as their profile describes them; null without a name. */
export const profileCreatorQuery = queryOptions({
  queryKey: ["users", "creator"],
  queryFn: async (): Promise<Creator | null> => {
    const { profile, identities } = await queryClient.fetchQuery({ ...selfQuery, staleTime: 0 });
    return creatorOf({ ...profile, orcid: identities?.orcid }) ?? null;
  },
  retry: false,
});

/** The publisher of the record or draft that the user changed last. */
async function latestPublisher(): Promise<string | undefined> {
  const search = "size=1&sort=updated-desc&q=_exists_:metadata.publisher";
  const { hits } = (await get<Envelope<RecordBody>>(`/api/user/records?${search}`)).hits;
  return hits[0]?.metadata.publisher;
}

/** The metadata from defaults that are on and known. */
export function metadataOf(
  on: DraftDefaults,
  { today, me, publisher }: { today: string; me: Creator | null | undefined; publisher: string | undefined },
): Metadata {
  return {
    ...(on.hasDate ? { publication_date: today } : {}),
    ...(on.hasMe && me ? { creators: [me] } : {}),
    ...(on.hasLicence ? { rights: [on.licence] } : {}),
    ...(on.hasPublisher && publisher ? { publisher } : {}),
  };
}

/** What a new draft begins with (app M26). Everything is read on this computer, so it works offline. */
export async function newDraftMetadata(): Promise<Metadata> {
  const on = await unlessRefused(queryClient.fetchQuery({ ...defaultsQuery, staleTime: 0 }));
  if (!on) return {};
  const [me, publisher] = await Promise.all([
    on.hasMe ? (on.me ?? unlessRefused(queryClient.fetchQuery({ ...profileCreatorQuery, staleTime: 0 }))) : undefined,
    on.hasPublisher ? (on.publisher ?? unlessRefused(latestPublisher())) : undefined,
  ]);
  return metadataOf(on, { today: localDay(new Date()), me, publisher });
}

/** The same, to tell what a draft began with from what the user wrote. */
export const newDraftMetadataQuery = queryOptions({
  queryKey: ["desk", "new-draft"],
  queryFn: newDraftMetadata,
  staleTime: 0,
});
