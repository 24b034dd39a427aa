import { httpTransport, Unreachable } from "../sync/transport.ts";

/** Whether a server without our protocol is an InvenioRDM or Zenodo, by its public list of records. No token is sent. */
export async function isInvenio(server: string): Promise<boolean> {
  try {
    const { status, body } = await httpTransport({ server, headers: {} }).call("GET", "/api/records?size=1");
    const { hits } = (body ?? {}) as { hits?: { hits?: unknown } };
    return status === 200 && Array.isArray(hits?.hits);
  } catch (error) {
    if (error instanceof Unreachable) return false;
    throw error;
  }
}
