import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pollOn, workOn } from "../support/endless-calls.ts";
import { freePort } from "../support/engines/free-port.ts";
import { fileOf, filesOf } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { openRequest, send, statusLine } from "../support/raw-request.ts";
import { givenDraft, metadata } from "../support/records.ts";
import { repository } from "../support/run.ts";
import { until } from "../support/until.ts";

// `npm run test:balancers`: the files of server/deploy in a real nginx and a real Caddy, before two processes that are
// replaced under load. Not part of `npm test`: it takes the programs from Debian where they are not installed.

const place = mkdtempSync(join(tmpdir(), "carrel-balancers-"));
const deploy = join(repository, "server/deploy");
const print = (line: string) => process.stdout.write(`${line}\n`);
let failures = 0;

function check(what: string, isRight: boolean, seen: unknown): void {
  if (!isRight) failures += 1;
  print(`${isRight ? "ok    " : "FAILED"} ${what}${isRight ? "" : `: ${JSON.stringify(seen)}`}`);
}

/** The program, installed or unpacked from Debian's package; undefined where there is neither. */
function findProgram(name: string, inPackage: string): string | undefined {
  const installed = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter).map((folder) => join(folder, name));
  const found = installed.find((file) => existsSync(file));
  if (found) return found;
  try {
    execFileSync("apt-get", ["download", name], { cwd: place, stdio: "ignore" });
    execFileSync("sh", ["-c", `dpkg -x ${name}_*.deb ${name}-package`], { cwd: place, stdio: "ignore" });
    return join(place, `${name}-package`, inPackage);
  } catch {
    return undefined;
  }
}

interface Processes {
  urls: [string, string];
  ports: [number, number];
  replaceAll(): Promise<void>;
  stop(): Promise<void>;
}

/** Two processes on one data folder, each on a port that its successor takes over. */
async function startProcesses(data: string): Promise<Processes> {
  const ports: [number, number] = [await freePort(), await freePort()];
  const start = async (port: number) => {
    const options = ["--data", data, "--port", String(port), "--shared", "--trust-proxy", "1", "--log-level", "error"];
    const server = new CarrelProcess(["server", ...options, "--base-url", "http://library.example.org"]);
    await server.ready();
    return server;
  };
  const running = [await start(ports[0]), await start(ports[1])];
  return {
    ports,
    urls: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    async replaceAll() {
      for (const [at, port] of ports.entries()) {
        const ended = await running[at]?.stop();
        check(`process ${at + 1} stops with 0`, ended?.code === 0, ended);
        running[at] = await start(port);
        // Longer than the balancers look away from a process that refused a connection.
        await new Promise((resolve) => setTimeout(resolve, 4000));
      }
    },
    stop: async () => void (await Promise.all(running.map((server) => server.stop("SIGKILL")))),
  };
}

/** nginx with the file of server/deploy, on a free port and without a certificate. */
async function startNginx(program: string, { ports }: Processes): Promise<{ url: string; child: ChildProcess }> {
  const folder = join(place, "nginx");
  mkdirSync(join(folder, "logs"), { recursive: true });
  const key = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "fullchain.pem")];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", ...key], {
    stdio: "ignore",
  });
  const written = readFileSync(join(deploy, "nginx.conf"), "utf8").replaceAll("/etc/ssl/carrel", folder);
  const around = (text: string) => `pid ${folder}/nginx.pid; daemon off; error_log ${folder}/error.log;
    events {} http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; ${text} }`;
  const [plain, secure, port] = [await freePort(), await freePort(), await freePort()];
  const moved = written
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("127.0.0.1:5001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:5002", `127.0.0.1:${ports[1]}`);
  const whole = join(folder, "whole.conf");
  writeFileSync(whole, around(moved.replace("listen 443 ssl http2;", `listen 127.0.0.1:${secure} ssl http2;`)));
  execFileSync(program, ["-t", "-q", "-p", folder, "-c", whole], { stdio: "inherit" });
  print("ok     nginx accepts nginx.conf");
  const used = join(folder, "used.conf");
  writeFileSync(used, around(moved.replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)));
  const child = spawn(program, ["-p", folder, "-c", used], { stdio: "inherit" });
  return { url: `http://127.0.0.1:${port}`, child };
}

/** Caddy with the file of server/deploy, on a free port. */
async function startCaddy(program: string, { urls }: Processes): Promise<{ url: string; child: ChildProcess }> {
  const file = join(place, "Caddyfile");
  // The administration port of Caddy would be the same for all on this computer.
  writeFileSync(file, `{\n\tadmin off\n}\n${readFileSync(join(deploy, "Caddyfile"), "utf8")}`);
  const url = `http://127.0.0.1:${await freePort()}`;
  const upstreams = urls.map((one) => one.replace("http://", "")).join(" ");
  const env = { ...process.env, SITE_NAME: url, CARREL_UPSTREAMS: upstreams, HOME: place };
  execFileSync(program, ["validate", "--config", file, "--adapter", "caddyfile"], { stdio: "ignore", env });
  print("ok     Caddy accepts Caddyfile");
  const child = spawn(program, ["run", "--config", file, "--adapter", "caddyfile"], { stdio: "ignore", env });
  return { url, child };
}

/** What a proxy could break: large and cut uploads, polls, event streams, sockets. */
async function tryKinds(client: HttpClient): Promise<void> {
  const { url, authorization } = client;
  check("checks of the balancer stay inside", (await client.get("/readyz")).status === 404, "answered");
  const id = await givenDraft(client, { metadata });
  await client.post(filesOf(id), [{ key: "large" }, { key: "cut" }]);
  const bytes = randomBytes(8 * 1024 * 1024);
  await client.putBytes(`${fileOf(id, "large")}/content`, bytes);
  await client.post(`${fileOf(id, "large")}/commit`);
  check("a large file", (await client.get(`${fileOf(id, "large")}/content`)).bytes.equals(bytes), "other bytes");
  const path = `${fileOf(id, "cut")}/content`;
  const headers = { authorization, "content-type": "application/octet-stream", "upload-complete": "?1" };
  const upload = await openRequest(url, { method: "PUT", path, headers: { ...headers, "content-length": "1000000" } });
  await send(upload, bytes.subarray(0, 500_000));
  const offset = async () => Number((await client.head(path)).headers.get("upload-offset") ?? 0);
  // Asking for the offset ends an upload, so not before the balancer has given it up.
  const isEnded = statusLine(upload);
  upload.end();
  await isEnded;
  const kept = await offset();
  const rest = { "content-type": "application/partial-upload", "upload-complete": "?1", "upload-offset": String(kept) };
  const gone = await client.call("PATCH", path, bytes.subarray(kept, 1_000_000), { headers: rest });
  await client.post(`${fileOf(id, "cut")}/commit`);
  const isWhole = (await client.get(path)).bytes.equals(bytes.subarray(0, 1_000_000));
  check(`a cut upload goes on at its offset, ${kept} of 500000`, isWhole && kept <= 500_000, gone.status);
  const statuses: number[] = [];
  let { cursor } = (await client.get("/api/sync/changes?limit=500")).body;
  let tookMs = 0;
  // The pages before the end, and counted downloads, come at once.
  for (let turn = 0; turn < 100 && tookMs < 15_000; turn++) {
    const started = performance.now();
    const poll = await client.get(`/api/sync/changes?wait=20&cursor=${cursor}`);
    statuses.push(poll.status);
    cursor = poll.body?.cursor ?? cursor;
    tookMs = performance.now() - started;
  }
  check("a poll of 20 s", statuses.every((one) => one === 200 || one === 204) && tookMs > 15_000, statuses);
  const events = await fetch(`${url}/api/sync/events`, { headers: { authorization } });
  const first = await events.body?.getReader().read();
  check("an event stream comes at once", new TextDecoder().decode(first?.value).includes(": carrel"), events.status);
  const { ticket } = (await client.post("/api/sync/ticket")).body;
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/sync/documents/draft:${id}?ticket=${ticket}`);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener("open", () => resolve(true));
    socket.addEventListener("error", () => resolve(false));
  });
  check("a live document", isOpen, "refused");
  socket.close();
}

async function tryBalancer(
  name: string,
  started: Promise<{ url: string; child: ChildProcess }>,
  token: string,
  processes: Processes,
): Promise<void> {
  const { url, child } = await started;
  try {
    const client = new HttpClient(url, token);
    const answers = () => client.get("/ping").then(({ status }) => status === 200);
    await until(() => answers().catch(() => false), `${name} answers`);
    await tryKinds(client);
    let isOver = false;
    const work = [1, 2].map(() => workOn(client, () => isOver));
    const polls = pollOn(client, () => isOver);
    await processes.replaceAll();
    isOver = true;
    const done = await Promise.all(work);
    await givenDraft(client, { metadata });
    const wrong = [...done.flatMap((one) => one.wrong), ...(await polls)];
    const calls = done.reduce((sum, one) => sum + one.calls, 0);
    check(`${name}: ${calls} calls while both processes were replaced, none failed`, wrong.length === 0, wrong);
  } finally {
    child.kill();
  }
}

async function main(): Promise<void> {
  const data = join(place, "data");
  const person = ["--username", "ada", "--email", "ada@example.org", "--token", "tests"];
  const { stdout } = await runCarrel("users", "create", "--data", data, ...person);
  const { token } = JSON.parse(stdout) as { token: string };
  const processes = await startProcesses(data);
  try {
    const nginx = findProgram("nginx", "usr/sbin/nginx");
    const caddy = findProgram("caddy", "usr/bin/caddy");
    if (nginx) await tryBalancer("nginx", startNginx(nginx, processes), token, processes);
    else print("NOT RUN: nginx is neither installed nor to be had");
    if (caddy) await tryBalancer("Caddy", startCaddy(caddy, processes), token, processes);
    else print("NOT RUN: Caddy is neither installed nor to be had");
  } finally {
    await processes.stop();
  }
}

try {
  await main();
} finally {
  rmSync(place, { recursive: true, force: true });
}
print(failures === 0 ? "all passed" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
