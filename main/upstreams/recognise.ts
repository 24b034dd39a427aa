import { assertUsable } from "../sync/address.ts";
import { httpTransport, type ServerAnswer, type Transport, Unreachable } from "../sync/transport.ts";

/** A site may say in HTML that it does not know a path. */
async function get(line: Transport, path: string): Promise<ServerAnswer> {
  try {
    return await line.call("GET", path);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { status: error.status ?? 0, body: undefined };
  }
}

/**
 * Whether a server is an InvenioRDM or Zenodo: it lacks our protocol and has a public list of records. A Carrel server
 * has the same list, but answers the first question. No token is sent.
 * @throws Failure 400 if it cannot be used now
 */
export async function isInvenio(server: string): Promise<boolean> {
  const line = httpTransport({ server, headers: {} });
  if ((await get(line, "/api/sync/hello")).status !== 404) return false;
  const { status, body } = await get(line, "/api/records?size=1");
  assertUsable(server, status);
  const { hits } = (body ?? {}) as { hits?: { hits?: unknown } };
  return status === 200 && Array.isArray(hits?.hits);
}
