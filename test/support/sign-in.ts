import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { onTestFinished } from "vitest";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings, type Settings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { HttpClient } from "./http-client.ts";
import { givenDatabase } from "./migrated-folder.ts";

export const password = "correct horse";
/** A server without users. @param folder an existing data folder. */
export async function startServer(
  folder?: string,
  {
    log = createLog("error"),
    baseUrl,
    appFolder,
    ...settings
  }: Partial<Settings> & { log?: Logger; baseUrl?: string; appFolder?: string } = {},
): Promise<RunningServer & { folder: string }> {
  const dataDir = folder ?? (await givenDatabase(await mkdtemp(join(tmpdir(), "carrel-sign-in-"))));
  const server = await openServer({
    ...{ dataDir, hostName: "127.0.0.1", port: 0, settings: { ...defaultSettings, ...settings } },
    ...{ environment: machineEnvironment(), log, ...(baseUrl === undefined ? {} : { baseUrl }) },
    ...(appFolder === undefined ? {} : { appFolder }),
  });
  onTestFinished(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { ...server, folder: dataDir };
}

/** A user who signs in with the common password. */
export async function givenUser(server: RunningServer, username: string, more: Record<string, unknown> = {}) {
  const { users, signIn } = server.services;
  const password_hash = await signIn.hash(password);
  const id = await users.create(newUser.parse({ username, email: `${username}@example.org`, password_hash, ...more }));
  return { id };
}

/** A browser that keeps cookies and can send the CSRF token. */
export async function signedInBrowser(server: RunningServer, username: string) {
  const plain = new HttpClient(server.url);
  const login = await plain.post("/api/login", { username, password });
  const cookies = login.headers.getSetCookie();
  const cookie = cookies.map((text) => text.split(";")[0]).join("; ");
  const csrf = { cookie, "x-csrftoken": login.body.csrf_token };
  return { plain, login, cookies, cookie, csrf };
}

export const bearer = (server: RunningServer, token: string) => new HttpClient(server.url, token);
export const tokenFor = async (server: RunningServer, username: string, more: Record<string, unknown> = {}) =>
  (await new HttpClient(server.url).post("/api/tokens", { name: "t", username, password, ...more })).body;
