import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";
import type { Envelope } from "./record-types.ts";
import { call, get } from "./request.ts";

/** What lets a computer or a program act as the person (requests 2.3); its secret is shown once, when it is made. */
export interface Token {
  id: string;
  name: string;
  created: string;
  expires_at: string | null;
  last_used_at: string | null;
}

const queryKey = ["tokens"];

/** Asked of the server: without it 503. */
export const tokensQuery = queryOptions({
  queryKey,
  queryFn: async () => (await get<Envelope<Token>>("/api/tokens")).hits.hits,
  retry: false,
  // Other computers use theirs, and nothing tells of it.
  staleTime: 0,
});

/** Makes a token; the answer is its secret. */
export async function createToken(name: string): Promise<string> {
  const { body } = await call<Token & { token: string }>("POST", "/api/tokens", { body: { name } });
  await queryClient.invalidateQueries({ queryKey });
  return body.token;
}

export async function revokeToken(id: string) {
  await call("DELETE", `/api/tokens/${encodeURIComponent(id)}`);
  await queryClient.invalidateQueries({ queryKey });
}
