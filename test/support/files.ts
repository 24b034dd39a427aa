import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Answer, HttpClient } from "./http-client.ts";

const fixture = (name: string): string => path.join(import.meta.dirname, "zip-fixtures", name);

export interface DraftOptions {
  access?: { record: "public" | "restricted"; files: "public" | "restricted" };
  isFilesEnabled?: boolean;
}

/** Creates a draft that can be published once its files are complete. */
export async function givenDraft(client: HttpClient, options: DraftOptions = {}): Promise<string> {
  const answer = await client.post("/api/records", {
    metadata: {
      title: "Deep sea core",
      publication_date: "2024",
      resource_type: { id: "dataset" },
      creators: [{ person_or_org: { type: "personal", family_name: "Lovelace", given_name: "Ada" } }],
    },
    access: options.access ?? { record: "public", files: "public" },
    files: { enabled: options.isFilesEnabled ?? true },
  });
  if (answer.status !== 201) throw new Error(`the draft was not made: ${answer.text}`);
  return answer.body.id;
}

export const filesOf = (draftId: string): string => `/api/records/${draftId}/draft/files`;
export const fileOf = (draftId: string, key: string): string => `${filesOf(draftId)}/${encodeURIComponent(key)}`;

export function must(answer: Answer, ...statuses: number[]): Answer {
  if (!statuses.includes(answer.status)) throw new Error(`${answer.status}, not ${statuses}: ${answer.text}`);
  return answer;
}

/** Adds a file to a draft: initialises, uploads, commits. */
export async function addFile(
  client: HttpClient,
  draftId: string,
  key: string,
  bytes: string | Uint8Array,
): Promise<Answer> {
  must(await client.post(filesOf(draftId), [{ key }]), 201);
  must(await client.putBytes(`${fileOf(draftId, key)}/content`, bytes), 200);
  return must(await client.post(`${fileOf(draftId, key)}/commit`), 200);
}

/** Publishes a record with these files. @returns its id. */
export async function givenRecord(
  client: HttpClient,
  files: Record<string, string | Uint8Array>,
  options: DraftOptions = {},
): Promise<string> {
  const id = await givenDraft(client, options);
  for (const [key, bytes] of Object.entries(files)) await addFile(client, id, key, bytes);
  must(await client.post(`/api/records/${id}/draft/actions/publish`), 202);
  return id;
}

export const fixtureBytes = (name: string): Promise<Buffer> => readFile(fixture(name));
