import { z } from "zod";

const server = z.string();
/** Accepts a server address without encryption. */
const allow_insecure = z.boolean().default(false);

/** `POST /api/sync/connect` of a replica (hosts-and-sync 5). */
export const tokenForm = z.object({ server, token: z.string(), allow_insecure });
export const passwordForm = z.object({
  server,
  account: z.string(),
  password: z.string(),
  code: z.string().optional(),
  allow_insecure,
});

/** Whether a host name is this computer. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** Whether traffic to an address (a parsed URL) can be read and changed by others. */
export const isInsecureAddress = ({ protocol, hostname }: { protocol: string; hostname: string }): boolean =>
  protocol !== "https:" && !isLoopback(hostname);
