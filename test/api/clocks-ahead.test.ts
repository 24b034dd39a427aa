import type { Request, Response } from "express";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sealedCookie } from "../../server/accounts/sealed-cookie.ts";
import { startSweepJob, sweepServer } from "../../server/sweep-job.ts";
import { ticketService } from "../../server/sync/live/live-ticket.service.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { must } from "../support/files.ts";
import { machineClock } from "../support/machine-clock.ts";
import { givenUser, password, signedInBrowser, startServer } from "../support/sign-in.ts";

const hourMicros = 3_600_000_000;
const year = 365 * 24;

describe("the clock of the server was a year ahead, and is right again (issue 15)", () => {
  test("sessions, known browsers, tickets, steps of a sign-in and secrets of a second factor do not live on", async () => {
    const clock = machineClock();
    const server = await startServer();
    const { host } = server;
    const [ada, { id }] = [await givenUser(server, "ada"), await givenUser(server, "bob")];
    const waiting = async () => {
      const user = await server.services.users.find(host.db, ada.id);
      return user && (await server.services.secondFactors.waiting(user));
    };
    clock.set(year);
    const { plain, csrf, cookie } = await signedInBrowser(server, "ada");
    const me = async () => (await plain.get("/api/me", { headers: { cookie } })).status;
    must(await plain.post("/api/user/second-factor", { password }, { headers: csrf }), 201);
    const tickets = ticketService(host);
    const ticketOf = async () => (await tickets.issue({ ...anonymous, userId: id }, undefined)).ticket;
    const [first, second] = [await ticketOf(), await ticketOf()];
    const step = sealedCookie(host, new Uint8Array(32), "sign-in-code", z.string());
    const sent: string[] = [];
    const res = { append: (_name: string, text: string) => sent.push(text) } as unknown as Response;
    step.set({ headers: {} } as Request, res, "open");
    const read = () => step.read({ headers: { cookie: sent[0]?.split(";")[0] } } as Request);
    const states = async (ticket: string) => [
      await me(),
      (await waiting()) !== undefined,
      (await tickets.redeem(ticket, "draft:d"))?.userId,
      read(),
    ];
    expect(await states(first)).toEqual([200, true, id, "open"]);
    clock.set(0);
    expect(await states(second)).toEqual([401, false, undefined, undefined]);
    const again = await plain.post("/api/login", { username: "ada", password }, { headers: { cookie } });
    expect(again.headers.getSetCookie().map((text) => text.split("=")[0])).toContain("device");
    await sweepServer(host, server.services);
    clock.set(year);
    expect(await me()).toBe(401);
  });

  test("nothing was deleted as too old: not every hour, and not when the server started with that clock", async () => {
    const clock = machineClock();
    const server = await startServer(undefined, { audit_retention_days: 7 });
    const { db } = server.host;
    const entry = { actor: null, via: "system", credential: null, address: null, action: "test", details: "{}" };
    const entryOf = (days: number) => ({
      ...{ ...entry, at: server.host.now() - days * 24 * hourMicros, outcome: "done" as const, status: null },
      ...{ object_type: null, object_id: `${days} days old` },
    });
    await db
      .insertInto("audit_log")
      .values([entryOf(0), entryOf(8)])
      .execute();
    const file = { entry_id: "e", draft_id: "d", version_id: "v", sha256: "s", entry: "{}", was_preview: 0 as const };
    await db
      .insertInto("removed_file")
      .values({ ...file, order_index: null, removed: server.host.now() })
      .execute();
    const left = async (of = db) => [
      (await of.selectFrom("audit_log").select("object_id").where("action", "=", "test").execute()).length,
      (await of.selectFrom("removed_file").select("entry_id").execute()).length,
    ];
    const sweep = startSweepJob(server.host, server.services, createLog("silent"));
    for (let hours = 0; hours < 6; hours++) {
      clock.set(year + hours);
      await sweep.run();
    }
    expect(await left()).toEqual([2, 1]);
    for (let hours = 0; hours < 6; hours++) {
      clock.set(hours);
      await sweep.run();
    }
    expect(await left()).toEqual([2, 1]);
    clock.set(6.5);
    await sweep.run();
    expect(await left()).toEqual([1, 1]);
    await sweep.stop();
    await server.close();
    clock.set(year);
    expect(await left((await startServer(server.folder)).host.db)).toEqual([1, 1]);
  });
});
