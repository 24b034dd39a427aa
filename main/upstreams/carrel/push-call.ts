import { type ServerAnswer, type Transport, Unreachable } from "../../sync/transport.ts";

/** What proxies answer to a coding that they do not know, or may not let pass. */
const proxyRefusals = new Set([400, 403, 406, 415, 501]);

const isOfProxy = (error: unknown): boolean =>
  error instanceof Unreachable && error.status !== undefined && proxyRefusals.has(error.status);

/**
 * Posts pushes, long ones compressed: a slow line carries them sooner, and fewer are too large for a proxy. A server of
 * an earlier version answers 415, and some proxies refuse; from then on nothing is compressed.
 */
export function pushCall(transport: Transport): (body: object) => Promise<ServerAnswer> {
  let isCompressed = true;
  const post = (body: object) => transport.call("POST", "/api/sync/push", body, { timeoutMs: 60_000, isCompressed });

  return async (body) => {
    if (!isCompressed) return post(body);
    const answer = await post(body).catch((error: unknown) => {
      if (isOfProxy(error)) return undefined;
      throw error;
    });
    if (answer !== undefined && answer.status !== 415) return answer;
    isCompressed = false;
    return post(body);
  };
}
