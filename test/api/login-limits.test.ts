import { authenticator } from "otplib";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { parseTrustProxy } from "../../server/config.ts";
import { factorSubject } from "../../shared/sign-in/login-limit.service.ts";
import { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";
import { givenUser, password, signedInBrowser, startServer } from "../support/sign-in.ts";
import { until } from "../support/until.ts";

const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const behindProxy = { trust_proxy: ["loopback"] };

describe("sign-in under load (security 3)", () => {
  test("of 300 guesses at once only what may wait is tried; another network's sign-in overtakes them", async () => {
    const server = await startServer(undefined, behindProxy);
    await givenUser(server, "ada");
    const plain = new HttpClient(server.url);
    const statuses: number[] = [];
    const flood = Array.from({ length: 300 }, async (_, index) => {
      const body = { username: `user${index}`, password: "wrong one" };
      const answer = await plain.post("/api/login", body, from("192.0.2.1"));
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    });
    await until(() => statuses.length > 0);
    const tried = () => statuses.filter((status) => status === 401).length;
    const before = tried();
    expect((await plain.post("/api/login", { username: "ada", password }, from("192.0.2.2"))).status).toBe(200);
    // One attempt of the other network may be hashed now, and one more may be next.
    expect(tried() - before).toBeLessThanOrEqual(4);
    await Promise.all(flood);
    expect(tried()).toBeLessThan(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(300 - tried());
    // An attempt that is refused without hashing costs no write, or a flood would fill the disk.
    const rows = await server.host.db.selectFrom("audit_log").select("action").execute();
    expect(rows.filter(({ action }) => action === "user.sign-in")).toHaveLength(tried() + 1);
  });

  test("a network has 100 failures, whatever is sent at once; a /64 of IPv6 is one network", async () => {
    const server = await startServer(undefined, behindProxy);
    const plain = new HttpClient(server.url);
    const at = server.host.now();
    const rows = Array.from({ length: 95 }, () => ({ subject: "address:2001:db8:1:2::/64", at }));
    await server.host.db.insertInto("login_failure").values(rows).execute();
    const tryFrom = (address: string, index: number) =>
      plain.post("/api/login", { username: `user${index}`, password: "wrong one" }, from(address));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => tryFrom(`2001:db8:1:2::${i + 1}`, i)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await tryFrom("2001:db8:1:3::1", 30)).status).toBe(401);
  });
});

describe("limits of an account (security 3)", () => {
  test("a stranger who keeps guessing does not lock out the browser of its owner", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const { cookie } = await signedInBrowser(server, "ada");
    const plain = new HttpClient(server.url);
    const signIn = (secret: string, headers = {}) =>
      plain.post("/api/login", { username: "ada", password: secret }, { headers });
    for (let count = 0; count < 5; count++) expect((await signIn("wrong one")).status).toBe(401);
    expect((await signIn(password)).status).toBe(429);
    expect((await signIn(password, { cookie })).status).toBe(200);
    for (let count = 0; count < 5; count++) expect((await signIn("wrong one", { cookie })).status).toBe(401);
    expect((await signIn(password, { cookie })).status).toBe(429);
  });

  test("the cookie of one person's browser helps with no other account, and ends with a password reset", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const { id } = await givenUser(server, "bob");
    const { cookie } = await signedInBrowser(server, "ada");
    const bobs = await signedInBrowser(server, "bob");
    const signIn = (username: string, secret: string, headers = {}) =>
      new HttpClient(server.url).post("/api/login", { username, password: secret }, { headers });
    await server.services.signIn.resetPassword(id, "another horse");
    for (let count = 0; count < 5; count++) expect((await signIn("bob", "wrong one")).status).toBe(401);
    expect((await signIn("bob", "another horse", { cookie })).status).toBe(429);
    expect((await signIn("bob", "another horse", { cookie: bobs.cookie })).status).toBe(429);
  });

  test("a success forgets the failures before it; so does the operator", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const plain = new HttpClient(server.url);
    const signIn = async (secret: string) =>
      (await plain.post("/api/login", { username: "ada", password: secret })).status;
    for (const secret of ["wrong 1", "wrong 2", "wrong 3", "wrong 4"]) expect(await signIn(secret)).toBe(401);
    expect(await signIn(password)).toBe(200);
    for (let count = 0; count < 5; count++) expect(await signIn("wrong one")).toBe(401);
    expect(await signIn(password)).toBe(429);
    expect(await runCarrel("users", "unlock", "--data", server.folder, "--username", "ada")).toMatchObject({ code: 0 });
    expect(await signIn(password)).toBe(200);
  });
});

describe("limits of a second factor (issue 15)", () => {
  async function givenFactor() {
    const server = await startServer(undefined, behindProxy);
    await givenUser(server, "ada");
    const { plain, csrf } = await signedInBrowser(server, "ada");
    const { secret } = (await plain.post("/api/user/second-factor", { password }, { headers: csrf })).body;
    const codeAt = (step: number): string =>
      authenticator.clone({ epoch: Date.now() + step * 30_000 }).generate(secret);
    const confirmed = await plain.post(
      "/api/user/second-factor/actions/confirm",
      { code: codeAt(-1) },
      { headers: csrf },
    );
    const signIn = (code: string, address: string, cookie = "") =>
      plain.post(
        "/api/login",
        { username: "ada", password, code },
        { headers: { "x-forwarded-for": address, ...(cookie ? { cookie } : {}) } },
      );
    const statuses = async (code: string, address: string, times: number): Promise<number[]> => {
      const all: number[] = [];
      for (let n = 0; n < times; n += 1) all.push((await signIn(code, address)).status);
      return all;
    };
    const isLater = (micros: number) =>
      server.host.db
        .updateTable("login_failure")
        .set((row) => ({ at: row("at", "-", micros) }))
        .execute();
    /** As if somebody had sent so many wrong codes. */
    async function wrongBefore(count: number, ...from: string[]): Promise<void> {
      const user = await server.host.db.selectFrom("user").select("id").executeTakeFirstOrThrow();
      const row = { subject: factorSubject(user.id, from), at: server.host.now() };
      const rows = Array.from({ length: count }, () => row);
      await server.host.db.insertInto("login_failure").values(rows).execute();
    }
    return {
      server,
      csrf,
      codeAt,
      signIn,
      statuses,
      isLater,
      wrongBefore,
      codes: confirmed.body.recovery_codes as string[],
    };
  }
  const quarter = 901_000_000;

  test("whoever knows only the password stops their own network, not the owner's, and has 20 guesses a day", async () => {
    const { codeAt, signIn, statuses, isLater } = await givenFactor();
    expect(await statuses("000000", "192.0.2.1", 6)).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await signIn(codeAt(0), "192.0.2.2")).status).toBe(200);
    expect((await signIn(codeAt(1), "192.0.2.1")).status).toBe(429);
    for (let n = 0; n < 3; n += 1) {
      await isLater(quarter);
      expect(await statuses("000000", "192.0.2.1", 6)).toEqual([401, 401, 401, 401, 401, 429]);
    }
    await isLater(quarter);
    const limited = await signIn(codeAt(1), "192.0.2.1");
    expect([limited.status, Number(limited.headers.get("retry-after")) > 80_000]).toEqual([429, true]);
    expect((await signIn(codeAt(1), "192.0.2.2")).status).toBe(200);
  });

  test("many networks have 60 guesses a day together; the owner's browser and recovery codes still work", async () => {
    const { server, csrf, codeAt, signIn, statuses, wrongBefore, codes } = await givenFactor();
    await wrongBefore(57);
    expect(await statuses("000000", "192.0.2.1", 2)).toEqual([401, 401]);
    expect(await statuses("000000", "192.0.2.2", 1)).toEqual([401]);
    expect((await signIn("000000", "198.51.100.1")).status).toBe(429);
    expect((await signIn(codeAt(0), "198.51.100.2")).status).toBe(429);
    expect((await signIn(codes[0] ?? "", "198.51.100.2")).status).toBe(200);
    expect((await signIn(codeAt(0), "192.0.2.1", csrf.cookie)).status).toBe(200);
    const wrong = await Promise.all(Array.from({ length: 6 }, () => signIn("000000", "192.0.2.1", csrf.cookie)));
    expect(wrong.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429]);
    const [row] = await server.host.db.selectFrom("user").selectAll().where("username", "=", "ada").execute();
    if (row) await server.services.signIn.unlock(row);
    expect((await signIn(codeAt(1), "192.0.2.1")).status).toBe(200);
  });

  test("guessed recovery codes are limited, too", async () => {
    const { signIn, statuses, wrongBefore, codes } = await givenFactor();
    await wrongBefore(19, "recovery", "192.0.2.1");
    expect(await statuses("ABCD-EFGH-JKLM-NPQR", "192.0.2.1", 2)).toEqual([401, 429]);
    expect((await signIn(codes[0] ?? "", "192.0.2.1")).status).toBe(429);
    expect((await signIn(codes[0] ?? "", "192.0.2.2")).status).toBe(200);
  });
});

describe("behind a proxy (security 3)", () => {
  test("X-Forwarded-For of a peer that is not trusted changes nothing, and is warned of once", async () => {
    const lines: { level: number; header?: string }[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    for (const settings of [{}, { trust_proxy: ["10.0.0.0/8"] }]) {
      const server = await startServer(undefined, { ...settings, log });
      const plain = new HttpClient(server.url);
      for (let index = 0; index < 3; index++) {
        const body = { username: `user${index}`, password: "wrong one" };
        expect((await plain.post("/api/login", body, from(`192.0.2.${index}`))).status).toBe(401);
      }
      const rows = await server.host.db.selectFrom("login_failure").select("subject").execute();
      const networks = rows.map(({ subject }) => subject).filter((subject) => subject.startsWith("address:"));
      expect(networks).toEqual(Array.from({ length: 3 }, () => "address:127.0.0.1"));
    }
    expect(lines.filter(({ header }) => header === "x-forwarded-for")).toHaveLength(1);
  });

  test("a proxy that sends Forwarded alone is warned of, though it is trusted", async () => {
    const lines: { header?: string }[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const plain = new HttpClient((await startServer(undefined, { ...behindProxy, log })).url);
    const forwarded = { forwarded: "for=192.0.2.1" };
    await plain.get("/ping", { headers: { ...forwarded, "x-forwarded-for": "192.0.2.1" } });
    expect(lines).toEqual([]);
    for (let count = 0; count < 2; count++) await plain.get("/ping", { headers: forwarded });
    expect(lines).toMatchObject([{ header: "forwarded" }]);
  });

  test("of the addresses in the header only those that trusted proxies wrote count", async () => {
    const server = await startServer(undefined, { trust_proxy: 1 });
    const plain = new HttpClient(server.url);
    const spellings = ["203.0.113.9, 192.0.2.1", "junk, 192.0.2.2:4711", "::ffff:192.0.2.3", "junk"];
    for (const header of spellings) await plain.post("/api/login", { username: "a", password: "wrong" }, from(header));
    const rows = await server.host.db.selectFrom("login_failure").select("subject").execute();
    expect(rows.map(({ subject }) => subject).filter((subject) => subject.startsWith("address:"))).toEqual([
      "address:192.0.2.1",
      "address:192.0.2.2",
      "address:192.0.2.3",
      "address:127.0.0.1",
    ]);
  });

  test("each client has a request limit of its own", async () => {
    const rate_limit = { guest_per_minute: 2, user_per_minute: 100 };
    const server = await startServer(undefined, { ...behindProxy, rate_limit });
    const plain = new HttpClient(server.url);
    const read = async (address: string) => (await plain.get("/api/records", from(address))).status;
    expect([await read("192.0.2.1"), await read("192.0.2.1"), await read("192.0.2.1")]).toEqual([200, 200, 429]);
    expect(await read("192.0.2.2")).toBe(200);
  });

  test("--trust-proxy takes a number of proxies or their networks, and nothing that trusts everybody", () => {
    expect(parseTrustProxy("2")).toBe(2);
    expect(parseTrustProxy("loopback, 10.0.0.0/8,2001:db8::/32")).toEqual(["loopback", "10.0.0.0/8", "2001:db8::/32"]);
    for (const text of ["", "0", "11", "true", "0.0.0.0/0", "::/0", "proxy.example.org", "10.0.0.0/40"]) {
      expect(() => parseTrustProxy(text), text).toThrow(/--trust-proxy/);
    }
  });
});
