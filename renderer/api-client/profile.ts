import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { self } from "../../shared/openapi/answers/people.schema.ts";
import type { ProfileChange } from "../../shared/users/profile.schema.ts";
import { queryClient } from "./query-client.ts";
import { call, get } from "./request.ts";

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
