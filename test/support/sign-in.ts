import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/kernel/settings.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { HttpClient } from "./http-client.ts";

export const password = "correct horse";
/** A server without people. @param folder that of an earlier one. */
export async function startServer(folder?: string): Promise<RunningServer & { folder: string }> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), "carrel-sign-in-")));
  const server = await openServer({
    ...{ dataDir, hostName: "127.0.0.1", port: 0, settings: defaultSettings },
    ...{ environment: machineEnvironment(), log: createLog("error") },
  });
  onTestFinished(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { ...server, folder: dataDir };
}

/** Somebody who signs in with the password of all. */
export async function givenUser(server: RunningServer, username: string, more: Record<string, unknown> = {}) {
  const { users, signIn } = server.services;
  const password_hash = await signIn.hash(password);
  const id = await users.create(newUser.parse({ username, email: `${username}@example.org`, password_hash, ...more }));
  return { id };
}

/** A browser: keeps cookies and sends the CSRF token when told to. */
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

/** Another process sends wrong passwords for a thousand names. */
export function spawnAttack(url: string) {
  const script = `
    let open = 0;
    const send = async (n) => {
      const body = JSON.stringify({ username: "user" + n, password: "wrong " + n });
      await fetch("${url}/api/login", { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => {});
    };
    const loop = async (from) => { for (let n = from; n < 1000; n += 20) await send(n); };
    console.log("started");
    await Promise.all(Array.from({ length: 20 }, (_, n) => loop(n)));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  const started = new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    started,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
