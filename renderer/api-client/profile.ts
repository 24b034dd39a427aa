import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { self } from "../../shared/openapi/answers/people.schema.ts";
import type { ProfileChange } from "../../shared/users/profile.schema.ts";
import { queryClient } from "./query-client.ts";
import { call, get } from "./request.ts";
import { refusal, sendBytes } from "./upload.ts";

export type Self = z.infer<typeof self>;

/** The user's own account, as known here. */
export const selfQuery = queryOptions({
  queryKey: ["users", "self"],
  queryFn: () => get<Self>("/api/me"),
  retry: false,
});

/** @throws ApiFailure 400 by field; 503 without the server. */
export async function changeProfile(change: ProfileChange): Promise<void> {
  const { body } = await call<Self>("PUT", "/api/me", { body: change });
  await queryClient.invalidateQueries({ queryKey: ["users"], refetchType: "none" });
  queryClient.setQueryData(selfQuery.queryKey, body);
}

const picturePath = "/api/me/picture";

/** @throws ApiFailure 400, 413 or 422 for a file that cannot be the picture; 503 without the server. */
export async function changePicture(file: File): Promise<void> {
  const headers = { "Content-Type": "application/octet-stream" };
  const calls = { onProgress: () => undefined, signal: new AbortController().signal };
  const answer = await sendBytes("PUT", picturePath, headers, file, calls, 0);
  if (answer.status !== 204) throw refusal(answer);
  await queryClient.invalidateQueries({ queryKey: ["users"] });
}

export async function removePicture(): Promise<void> {
  await call("DELETE", picturePath);
  await queryClient.invalidateQueries({ queryKey: ["users"] });
}
