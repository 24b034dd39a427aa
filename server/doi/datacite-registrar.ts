import { z } from "zod";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import { type DoiRegistrar, Refused, Unavailable } from "./registrar.ts";

export type DataciteAccount = NonNullable<Settings["datacite"]>;

/** Statuses about the account or the moment, not about the DOI. */
const transientStatuses = new Set([401, 403, 408, 425, 429]);
const longestReason = 500;

/**
 * DataCite's REST API. `PUT /dois/{doi}` creates or updates, so a call whose answer was lost is simply repeated.
 * @param timeoutMs time limit of a call.
 */
export function dataciteRegistrar(account: DataciteAccount, timeoutMs = 30_000): DoiRegistrar {
  const authorization = `Basic ${Buffer.from(`${account.repository_id}:${account.password}`).toString("base64")}`;

  async function put(doi: string, attributes: Record<string, unknown>): Promise<void> {
    let response: Response;
    let reason: string;
    try {
      response = await fetch(`${account.url.replace(/\/+$/, "")}/dois/${encodeURIComponent(doi)}`, {
        method: "PUT",
        headers: { authorization, "content-type": "application/vnd.api+json", accept: "application/vnd.api+json" },
        body: JSON.stringify({ data: { id: doi, type: "dois", attributes: { doi, ...attributes } } }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: "error",
      });
      reason = wordsIn(await response.text()).slice(0, longestReason);
    } catch (error) {
      throw new Unavailable(`DataCite did not answer: ${causeOf(error)}`);
    }
    if (response.ok) return;
    const words = `DataCite answered ${response.status}: ${reason}`;
    throw response.status >= 500 || transientStatuses.has(response.status)
      ? new Unavailable(words)
      : new Refused(words);
  }

  return {
    register: (doi, { url, metadata }) => put(doi, { ...metadata, url, event: "publish" }),
    hide: (doi) => put(doi, { event: "hide" }),
  };
}

const refusal = z.object({ errors: z.array(z.object({ title: z.string(), source: z.string().nullish() })).nonempty() });

/** DataCite's words in an answer, with the field that each is about; any other answer as it is. */
function wordsIn(text: string): string {
  try {
    const { errors } = refusal.parse(JSON.parse(text));
    return errors.map(({ source, title }) => (source ? `${source}: ${title}` : title)).join("; ");
  } catch {
    return text;
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
