import { queryOptions } from "@tanstack/react-query";
import { randomId } from "../format/random-id.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope, RecordBody } from "./record-types.ts";
import { copiedContent } from "./records.ts";
import { call, get } from "./request.ts";

/** What a draft may start from: a template, a record, or another draft. */
export type StartingPoint = Pick<RecordBody, "metadata" | "custom_fields" | "access">;

export interface Template {
  key: string;
  value: StartingPoint & { name: string };
}

const path = "/api/sync/desk/templates";

/** The user's templates, by name. */
export const templatesQuery = queryOptions({
  queryKey: ["desk", "templates"],
  queryFn: async () => {
    const { notes } = await get<{ notes: Template[] }>(path);
    return notes.toSorted((a, b) => a.value.name.localeCompare(b.value.name));
  },
});

const refresh = () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });

/** Keeps what a copy of a draft would hold, under a name. @throws ApiFailure 400 for too many or too long ones. */
export async function keepTemplate(name: string, from: StartingPoint): Promise<void> {
  const { record, files } = from.access;
  const value = { name, ...copiedContent(from), access: { record, files } };
  await call("PUT", `${path}/${Date.now().toString(36)}-${randomId().slice(0, 8)}`, { body: { value } });
  await refresh();
}

export async function renameTemplate({ key, value }: Template, name: string): Promise<void> {
  await call("PUT", `${path}/${key}`, { body: { value: { ...value, name } } });
  await refresh();
}

export async function dropTemplate(key: string): Promise<void> {
  await call("DELETE", `${path}/${key}`);
  await refresh();
}

/** The user's own records and drafts for a text being typed; without one those changed last. */
export const ownWorksQuery = (text: string) =>
  queryOptions({
    queryKey: ["library", "own", text],
    queryFn: async ({ signal }) => {
      const params = new URLSearchParams({ size: "20", sort: text ? "bestmatch" : "updated-desc" });
      if (text) params.set("q", /[\p{L}\p{N}]$/u.test(text) ? `${text}*` : text);
      return (await get<Envelope<RecordBody>>(`/api/user/records?${params}`, { signal })).hits.hits;
    },
    retry: false,
    placeholderData: (previous) => previous,
  });
