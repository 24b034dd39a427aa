import { isIP, isIPv6 } from "node:net";
import type { Request } from "express";
import type { Host } from "./host.ts";

/** `::ffff:192.0.2.1`: how a socket for both IP versions writes the address of an IPv4 client. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Some proxies append the client's port. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+)):\d+$/;

function addressIn(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  const [, v6, v4] = withPort.exec(trimmed) ?? [];
  const [address = ""] = (v6 ?? v4 ?? trimmed).split("%");
  const plain = mapped.exec(address)?.[1] ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}

/**
 * The client's address: from a trusted proxy (`trust_proxy`), else the peer of the connection. Empty when the connection
 * has none.
 */
export const clientAddress = (req: Request): string => addressIn(req.ip) ?? addressIn(req.socket.remoteAddress) ?? "";

/** The first four groups of an IPv6 address. */
function prefixOf(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [head = [], tail = []] = groups.map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = groups.length > 1 ? Array.from({ length: 8 - head.length - tail.length }, () => "0") : [];
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}

/** The network that rate limits count: an IPv4 address, or an IPv6 /64, which usually belongs to one customer. */
export const networkOf = (address: string): string => (isIPv6(address) ? prefixOf(address) : address);
export const clientNetwork = (req: Request): string => networkOf(clientAddress(req));

/** Whether browsers reach the host by https, judged by its base URL or by a trusted proxy's header. */
export const isHttps = ({ baseUrl }: Pick<Host, "baseUrl">, req: Request): boolean =>
  baseUrl.startsWith("https:") || req.secure;
