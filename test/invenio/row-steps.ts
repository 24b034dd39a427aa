import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { complete } from "../support/fake-invenio/complete.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { until } from "../support/until.ts";

export const withFiles = { ...complete, files: { enabled: true } };
export const withMetadata = (metadata: object) => ({ ...complete, metadata: { ...complete.metadata, ...metadata } });
export const vendor = "application/vnd.inveniordm.v1+json";
export const md5 = (text: string): string => `md5:${createHash("md5").update(text).digest("hex")}`;

export function answered(answer: Answer, status: number, message?: string): Answer {
  equal(answer.status, status, answer.text.slice(0, 300));
  if (message !== undefined) equal(answer.body.message, message);
  return answer;
}

export interface Draft {
  id: string;
  /** Path of the record and of the draft. */
  record: string;
  draft: string;
  revision: number;
}

export async function givenDraft(client: HttpClient, body: object = complete): Promise<Draft> {
  const { body: made } = answered(await client.post("/api/records", body), 201);
  const record = `/api/records/${made.id}`;
  return { id: made.id, record, draft: `${record}/draft`, revision: made.revision_id };
}

export async function givenRecord(client: HttpClient, body: object = complete): Promise<Draft> {
  const draft = await givenDraft(client, body);
  answered(await client.post(`${draft.draft}/actions/publish`), 202);
  return draft;
}

export async function upload(client: HttpClient, draft: string, key: string, bytes: string | Buffer): Promise<Answer> {
  answered(await client.post(`${draft}/files`, [{ key }]), 201);
  answered(await client.putBytes(`${draft}/files/${key}/content`, bytes), 200);
  return answered(await client.post(`${draft}/files/${key}/commit`), 200);
}

export const fieldsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map(({ field }: { field: string }) => field).sort();

export function names(answer: Answer, ...fields: string[]): void {
  for (const field of fields) ok(fieldsOf(answer).includes(field), `${field} is not among ${fieldsOf(answer)}`);
}

/** Lists show some changes, such as grants, only after a timed job of the server. */
const listedMs = 240_000;

/** Waits until the search index, which is late, shows what is awaited. */
export async function listed(client: HttpClient, path: string, holds: (answer: Answer) => boolean): Promise<Answer> {
  let last: Answer | undefined;
  await until(
    async () => {
      last = answered(await client.get(path), 200);
      return holds(last);
    },
    `${path} shows it`,
    listedMs,
  );
  return last as Answer;
}

export const idsOf = ({ body }: Answer): string[] => body.hits.hits.map(({ id }: { id: string }) => id);
export const statusesOf = (answers: Answer[], expected: number[]): void =>
  deepEqual(answers.map(({ status }) => status).sort(), expected);
