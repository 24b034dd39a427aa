import type { HttpClient } from "./http-client.ts";
import { givenDraft, givenRecord } from "./records.ts";

export interface RecordWishes {
  title?: string;
  metadata?: Record<string, unknown>;
  access?: Record<string, unknown>;
  custom_fields?: Record<string, unknown>;
}

/** The body of a draft that can be published without files. */
export function draftBody({ title = "A record to find", metadata = {}, access, custom_fields }: RecordWishes = {}) {
  return {
    files: { enabled: false },
    ...(custom_fields ? { custom_fields } : {}),
    ...(access ? { access } : {}),
    metadata: {
      title,
      resource_type: { id: "dataset" },
      publication_date: "2020-05-17",
      creators: [{ person_or_org: { type: "personal", family_name: "Lovelace", given_name: "Ada" } }],
      ...metadata,
    },
  };
}

/** Creates a draft to search for; returns its id. */
export const draftWith = (client: HttpClient, wishes?: RecordWishes): Promise<string> =>
  givenDraft(client, draftBody(wishes));

/** Creates and publishes a record to search for; returns its id. */
export const recordWith = (client: HttpClient, wishes?: RecordWishes): Promise<string> =>
  givenRecord(client, draftBody(wishes));
