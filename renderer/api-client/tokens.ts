import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { newSecret, token } from "../../shared/openapi/answers/people.schema.ts";
import { queryClient } from "./query-client.ts";
import type { Envelope } from "./record-types.ts";
import { call, get } from "./request.ts";

/** An access token (requests 2.3). Its secret is shown once, when it is created. */
export type Token = z.infer<typeof token>;

const queryKey = ["tokens"];

/** From the server: offline 503. */
export const tokensQuery = queryOptions({
  queryKey,
  queryFn: async () => (await get<Envelope<Token>>("/api/tokens")).hits.hits,
  retry: false,
  // Other computers use their tokens without any event.
  staleTime: 0,
});

/** Creates a token. @returns its secret. */
export async function createToken(name: string): Promise<string> {
  const { body } = await call<z.infer<typeof newSecret>>("POST", "/api/tokens", { body: { name } });
  await queryClient.invalidateQueries({ queryKey });
  return body.token;
}

export async function revokeToken(id: string) {
  await call("DELETE", `/api/tokens/${encodeURIComponent(id)}`);
  await queryClient.invalidateQueries({ queryKey });
}
