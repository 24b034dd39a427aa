import { lookup as resolveName } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Networks that a public service has no address in: this machine, private and link-local ones, multicast. */
const inner = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  inner.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  inner.addSubnet(network, bits, "ipv6");

/** Whether an address is inside the operator's network, also as IPv4 within IPv6. */
export function isInnerAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return inner.check(mapped, "ipv4");
  return inner.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

export interface FetchLimits {
  timeoutMs: number;
  maxBytes: number;
  /** Hosts that may have an inner address. */
  privateHosts: readonly string[];
}

/** The service did not give an answer that may be used; the message says why. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

/** Resolves a name and refuses it if one of its addresses is inner: the address checked is the one connected to. */
const guardedLookup: LookupFunction = (name, options, done) => {
  resolveName(name, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, "");
    const [first] = addresses;
    if (!first || addresses.some(({ address }) => isInnerAddress(address)))
      return done(new NoAnswer(`${name} has no public address`), "");
    if (options.all) return done(null, addresses);
    done(null, first.address, first.family);
  });
};

const maxRedirects = 3;

/**
 * Fetches JSON within limits of time and size. Follows redirects on the same host alone.
 * @returns undefined if the service does not know it (404, 410).
 * @throws NoAnswer
 */
export async function fetchJson(address: string, accept: string, limits: FetchLimits): Promise<unknown> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let url = new URL(address);
  for (let step = 0; step <= maxRedirects; step++) {
    const response = await open(url, accept, limits, signal);
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location) {
      response.destroy();
      const next = URL.parse(headers.location, url);
      if (next?.origin !== url.origin) throw new NoAnswer(`${url.host} leads to another host`);
      url = next;
      continue;
    }
    if (status === 404 || status === 410) {
      response.destroy();
      return undefined;
    }
    if (status !== 200) {
      response.destroy();
      throw new NoAnswer(`${url.host} answered ${status}`);
    }
    return parsed(await textOf(response, limits.maxBytes, url.host), url.host);
  }
  throw new NoAnswer(`${url.host} redirects too often`);
}

async function open(url: URL, accept: string, limits: FetchLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const isPrivate = limits.privateHosts.includes(name);
  // A literal address is connected to without a look-up.
  if (!isPrivate && isIP(name) !== 0 && isInnerAddress(name)) throw new NoAnswer(`${name} is not a public address`);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
    headers: { accept, "user-agent": "Carrel" },
    signal,
    ...(isPrivate ? {} : { lookup: guardedLookup }),
  });
  request.once("response", resolve);
  request.once("error", reject);
  request.end();
  try {
    return await promise;
  } catch (error) {
    throw asNoAnswer(error, url.host);
  }
}

function asNoAnswer(error: unknown, host: string): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const isLate = error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name);
  return new NoAnswer(isLate ? `${host} did not answer in time` : `${host} cannot be reached`);
}

async function textOf(response: IncomingMessage, maxBytes: number, host: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new NoAnswer(`the answer of ${host} is too large`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw asNoAnswer(error, host);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoAnswer(`${host} did not answer JSON`);
  }
}
