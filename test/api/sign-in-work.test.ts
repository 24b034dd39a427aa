import type { BinaryLike, ScryptOptions } from "node:crypto";
import { availableParallelism } from "node:os";
import { describe, expect, test, vi } from "vitest";
import { hashPassword } from "../../shared/sign-in/password-hash.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { startApi } from "../support/api.ts";
import { differingCalls, functionCalls } from "../support/count-calls.ts";
import { HttpClient } from "../support/http-client.ts";
import { inProcess } from "../support/in-process.ts";
import { isOnPostgres } from "../support/server-database.ts";
import { bearer, givenUser, password, startServer, tokenFor } from "../support/sign-in.ts";

// Counts work instead of time, so that a slow machine gives the same result.

/** The scrypt calls so far: parameters, and how many ran at once. `hold` delays their results. */
const hashing = vi.hoisted(() => ({
  calls: [] as Record<string, unknown>[],
  running: 0,
  most: 0,
  held: undefined as Promise<void> | undefined,
}));

vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const scrypt = (
    password: BinaryLike,
    salt: Buffer,
    length: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ) => {
    hashing.calls.push({ ...options, length, salt: salt.length });
    hashing.most = Math.max(hashing.most, ++hashing.running);
    crypto.scrypt(password, salt, length, options, async (error, key) => {
      await hashing.held;
      hashing.running--;
      done(error, key);
    });
  };
  const scryptSync = () => expect.unreachable("a password is hashed on the event loop");
  return { ...crypto, scrypt, scryptSync };
});

/** The scrypt calls during some work. */
async function hashesOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = hashing.calls.length;
  await work();
  return hashing.calls.slice(before);
}

const presenting = /\.policy\.ts |kernel\/caller\.ts /;
/** PostgreSQL sends the numbers of a row as text. */
const withNumbers = /\.policy\.ts |kernel\/caller\.ts |postgres-driver\.ts asNumber$/;

describe("no enumeration by time", () => {
  test("for an unknown account the same hash is computed as for a wrong password (requests 2.3)", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    await givenUser(server, "idle", { active: false });
    await givenUser(server, "fresh", { confirmed: false });
    await givenUser(server, "none", { password_hash: null });
    const plain = new HttpClient(server.url);
    for (const path of ["/api/login", "/api/tokens"]) {
      const tryAs = (username: string) =>
        hashesOf(async () => {
          expect((await plain.post(path, { username, password: "wrong one", name: "n" })).status).toBe(401);
        });
      const known = await tryAs("ada");
      expect(known).toEqual([
        { cost: 2 ** 15, blockSize: 8, parallelization: 1, maxmem: 2 ** 26, length: 32, salt: 16 },
      ]);
      for (const username of ["nobody", "idle", "fresh", "none"])
        expect(await tryAs(username), username).toEqual(known);
    }
  });

  test("hidden and unknown people and groups are refused with the same work (requests 11, 12)", async () => {
    const api = await startApi();
    const ada = await inProcess(api, "ada");
    const { users, groups } = api.server.services;
    await groups.provide({ name: "inside", description: null, is_managed: true });
    const card = { username: "shut", email: "shut@example.org", visibility: "restricted" };
    const hidden = await users.create(newUser.parse(card));
    for (const [there, nowhere] of [
      [`/api/users/${hidden}`, "/api/users/999"],
      [`/api/users/${hidden}/avatar.svg`, "/api/users/999/avatar.svg"],
      [`/api/users/${hidden}/groups`, "/api/users/999/groups"],
      ["/api/groups/inside", "/api/groups/nowhere"],
      ["/api/groups/inside/avatar.svg", "/api/groups/nowhere/avatar.svg"],
    ] as const) {
      const bodies = [(await ada.get(there)).body, (await ada.get(nowhere)).body];
      expect(bodies).toEqual([{ status: 403, message: "Permission denied." }, bodies[0]]);
      const isOfRule = (name: string) => (isOnPostgres ? withNumbers : presenting).test(name);
      const differing = async () => {
        const calls = await functionCalls(() => ada.get(there));
        expect(calls.size, there).toBeGreaterThan(30);
        return differingCalls(calls, await functionCalls(() => ada.get(nowhere))).filter((name) => !isOfRule(name));
      };
      // Only the policies differ: the same queries run, and nothing is presented.
      let more = await differing();
      // A job in the background falls into one comparison, a difference of the calls into each.
      for (let again = 0; again < 20 && more.length > 0; again++) {
        const now = await differing();
        more = more.filter((name) => now.includes(name));
      }
      expect(more, there).toEqual([]);
    }
  });
});

describe("hashing beside other work (requests 2.3)", () => {
  test("a flood of wrong passwords does not keep other callers waiting: scrypt is off the event loop", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const ada = bearer(server, (await tokenFor(server, "ada")).token);
    const plain = new HttpClient(server.url);
    const { promise, resolve } = Promise.withResolvers<void>();
    hashing.held = promise;
    let answered = 0;
    const before = hashing.calls.length;
    const flood = Array.from({ length: 8 }, async (_, at) => {
      const { status } = await plain.post("/api/login", { username: `user${at}`, password: "wrong" });
      answered++;
      return status;
    });
    try {
      await expect.poll(() => hashing.calls.length).toBe(before + 1);
      // No hash is ready yet, and all other calls are answered.
      for (let calls = 0; calls < 20; calls++) expect((await ada.get("/api/me")).status).toBe(200);
      expect([answered, hashing.calls.length]).toEqual([0, before + 1]);
    } finally {
      hashing.held = undefined;
      resolve();
    }
    expect(await Promise.all(flood)).toEqual(Array(8).fill(401));
    expect(hashing.calls).toHaveLength(before + 8);
  });

  test("hashing takes at most half of the cores", async () => {
    hashing.most = 0;
    await Promise.all(Array.from({ length: 2 * availableParallelism() }, () => hashPassword(password)));
    expect(hashing.most).toBe(Math.max(1, Math.floor(availableParallelism() / 2)));
  });
});
