import { startApi } from "./api.ts";
import { must } from "./files.ts";
import { gatewayTo } from "./gateway.ts";
import { HttpClient } from "./http-client.ts";
import { newReplica, synced } from "./two-replicas.ts";

/** Ada's replica, connected through a gateway. */
export async function behindGateway() {
  const api = await startApi("server");
  const { token } = await api.person("ada");
  const gateway = await gatewayTo(api.server.url);
  const replica = await newReplica();
  const client = new HttpClient(replica.url, replica.guard.secret);
  must(await client.post("/api/sync/connect", { server: gateway.url, token }), 200);
  await synced(client);
  return { api, gateway, replica, client, server: new HttpClient(api.server.url, token), token };
}

const metadata = {
  title: "Deep sea core 12",
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  creators: [{ person_or_org: { type: "personal", family_name: "Hopper", given_name: "Grace" } }],
};
export const draftWith = (changes: object) => ({ metadata: { ...metadata, ...changes }, files: { enabled: false } });

/** Text that does not compress well, three bytes a letter. */
export function chinese(length: number): string {
  let seed = length;
  const next = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return 0x4e00 + ((seed >> 8) % 20_000);
  };
  return Array.from({ length }, () => String.fromCharCode(next())).join("");
}

/** The unsent operations. */
export const operationsOf = async (client: HttpClient) => (await client.get("/api/sync/operations")).body.hits.hits;
