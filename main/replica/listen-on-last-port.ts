import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { Failure } from "../../shared/kernel/failure.ts";
import { type Listening, listen } from "../../shared/kernel/listen.ts";
import { privateFile } from "../../shared/kernel/private-files.ts";

const host = "127.0.0.1";
const fileName = "last-port";

async function readPort(path: string): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const port = Number(text);
  return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : undefined;
}

/**
 * Listens on the loopback address. Port 0 means the port of the last start, if it is still free. Browsers store the
 * user's choices (theme, density) by address, so a new port would lose them.
 * @throws Failure `unavailable` if the given port is in use.
 */
export async function listenOnLastPort(listener: RequestListener, folder: string, port: number): Promise<Listening> {
  if (port !== 0) return listen(listener, host, port);
  const path = join(folder, fileName);
  const last = await readPort(path);
  const onLast = last === undefined ? undefined : await listen(listener, host, last).catch(ignorePortInUse);
  if (onLast) return onLast;
  const listening = await listen(listener, host, 0);
  await writeFile(path, String(listening.port), { mode: privateFile });
  return listening;
}

function ignorePortInUse(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}
