import { httpTransport, Unreachable } from "../sync/transport.ts";

/**
 * Whether a server is an InvenioRDM or Zenodo: it lacks our protocol and has a public list of records. A Carrel server
 * has the same list, but answers the first question. No token is sent.
 */
export async function isInvenio(server: string): Promise<boolean> {
  const transport = httpTransport({ server, headers: {} });
  try {
    const hello = await transport.call("GET", "/api/sync/hello");
    if (hello.status !== 404) return false;
    const { status, body } = await transport.call("GET", "/api/records?size=1");
    const { hits } = (body ?? {}) as { hits?: { hits?: unknown } };
    return status === 200 && Array.isArray(hits?.hits);
  } catch (error) {
    if (error instanceof Unreachable) return false;
    throw error;
  }
}
