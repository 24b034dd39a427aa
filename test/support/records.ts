import type { HttpClient } from "./http-client.ts";

/** Metadata that can be published. */
export const metadata = {
  title: "A Romans story",
  publication_date: "2020-06-01",
  resource_type: { id: "image-photo" },
  creators: [{ person_or_org: { type: "personal", family_name: "Brown", given_name: "Troy" } }],
};

/** A draft body without files that can be published. */
export const withoutFiles = { files: { enabled: false }, metadata };

/** Creates a draft. @returns its id. */
export async function givenDraft(client: HttpClient, body: object = withoutFiles): Promise<string> {
  const { status, body: draft, text } = await client.post("/api/records", body);
  if (status !== 201) throw new Error(`no draft: ${status} ${text}`);
  return draft.id;
}

/** Publishes a draft. */
export async function publish(client: HttpClient, id: string): Promise<void> {
  const { status, text } = await client.post(`/api/records/${id}/draft/actions/publish`);
  if (status !== 202) throw new Error(`not published: ${status} ${text}`);
}

/** Creates and publishes a record. @returns its id. */
export async function givenRecord(client: HttpClient, body: object = withoutFiles): Promise<string> {
  const id = await givenDraft(client, body);
  await publish(client, id);
  return id;
}
