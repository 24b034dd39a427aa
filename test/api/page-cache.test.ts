import type { Request, Response } from "express";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { loadShedding } from "../../server/load-shedding.ts";
import { pageCosts } from "../../server/page-costs.ts";
import { pageCache } from "../../server/pages/page-cache.ts";
import { startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const asBrowser = { headers: { accept: "text/html" } };

describe("pages that are kept (web 6)", () => {
  test("strangers get the same bytes and ETag; a record that is made restricted vanishes at once", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const first = await api.anonymous.get(`/records/${id}`, asBrowser);
    const second = await api.anonymous.get(`/records/${id}`, asBrowser);
    expect(second.text).toBe(first.text);
    for (const name of ["etag", "link", "content-security-policy", "vary", "cache-control", "content-type"])
      expect(second.headers.get(name), name).toBe(first.headers.get(name));
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    const packed = await fetch(`${api.server.url}/records/${id}`, {
      headers: { accept: "text/html", "accept-encoding": "br" },
    });
    expect(packed.headers.get("content-encoding")).toBe("br");
    expect(await packed.text()).toBe(first.text);
    const known = { headers: { ...asBrowser.headers, "if-none-match": first.headers.get("etag") ?? "" } };
    expect((await api.anonymous.get(`/records/${id}`, known)).status).toBe(304);
    expect((await api.anonymous.head(`/records/${id}`, asBrowser)).status).toBe(200);
    await alice.post(`/api/records/${id}/draft`);
    const restricted = { metadata, access: { record: "restricted", files: "restricted" }, files: { enabled: false } };
    await alice.put(`/api/records/${id}/draft`, restricted);
    await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect((await api.anonymous.get(`/records/${id}`, asBrowser)).status).toBe(403);
    expect((await alice.get(`/records/${id}`, asBrowser)).status).toBe(200);
  });

  test("lists and other answers for strangers: caches ask each time (issue 18)", async () => {
    const api = await startApi();
    const id = await givenRecord(await api.as("alice"), { metadata, files: { enabled: false } });
    for (const path of ["/api/records", `/api/records/${id}/versions`, "/api/vocabularies/languages"]) {
      const { status, headers } = await api.anonymous.get(path);
      expect([status, headers.get("cache-control")], path).toEqual([200, "no-cache"]);
    }
  });

  test("files and exports: caches ask each time, and get 403 once the record is restricted (issue 17)", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const id = await givenDraft(alice, { metadata, access: { record: "public", files: "public" } });
    await addFile(alice, id, "a.txt", "bytes");
    await publish(alice, id);
    const content = `/api/records/${id}/files/a.txt/content`;
    const paths = [content, `/api/records/${id}/files-archive`, `/records/${id}/export/bibtex`];
    const known: Record<string, string>[] = [];
    for (const path of paths) {
      const { status, headers } = await api.anonymous.get(path);
      expect([status, headers.get("cache-control")], path).toEqual([200, "public, no-cache"]);
      expect((await alice.get(path)).headers.get("cache-control"), path).toBe("private, no-cache");
      const [etag, modified] = [headers.get("etag"), headers.get("last-modified")];
      known.push(etag ? { "if-none-match": etag } : {}, modified ? { "if-modified-since": modified } : {});
    }
    await alice.post(`/api/records/${id}/draft`);
    await alice.put(`/api/records/${id}/draft`, { metadata, access: { record: "restricted", files: "restricted" } });
    await publish(alice, id);
    for (const path of paths)
      for (const headers of known) expect((await api.anonymous.get(path, { headers })).status, path).toBe(403);
  });

  test("kept pages count as views", async () => {
    const api = await startApi();
    const id = await givenRecord(await api.as("alice"), { metadata, files: { enabled: false } });
    let views = 0;
    const { usage } = api.server.services;
    const { viewed } = usage;
    usage.viewed = (...parts) => {
      views += 1;
      viewed(...parts);
    };
    for (let call = 0; call < 4; call++) await api.anonymous.get(`/records/${id}`, asBrowser);
    expect(views).toBe(4);
  });
});

test("an unknown language makes no copy of a page, so strangers cannot fill the memory (security 6)", async () => {
  const { server } = await startApi();
  const { usage } = server.services;
  const pages = pageCache(server.host, { usage, isOverloaded: () => false, lastChange: async () => undefined });
  const isKept = async (query: Record<string, string>): Promise<boolean> => {
    const locals: { cachePage?: unknown } = {};
    const headers = { accept: "text/html" };
    const req = { method: "GET", headers, path: "/records/x", query, originalUrl: "/records/x" };
    const asked = { ...req, acceptsLanguages: () => false } as unknown as Request;
    await pages.answer(asked, { locals } as unknown as Response, () => {});
    return locals.cachePage !== undefined;
  };
  const queries: Record<string, string>[] = [{}, { lang: "en" }, { lang: "zz" }, { lang: "1" }, { q: "1" }];
  expect(await Promise.all(queries.map(isKept))).toEqual([true, true, false, false, false]);
});

describe("what pages cost (web 10)", () => {
  test("an address pays for searches until it has nothing left; other addresses and users go on", async () => {
    const api = await startApi("server", {
      settings: { trust_proxy: 1, site: { name: "Library", contact: "a@example.org" } },
    });
    const from = (address: string) => ({ headers: { accept: "text/html", "x-forwarded-for": address } });
    // Time gives points back, so it stands still.
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => void vi.restoreAllMocks());
    const statuses: number[] = [];
    for (let call = 0; call < 26; call++)
      statuses.push((await api.anonymous.get(`/search?page=1&q=a${call}`, from("192.0.2.1"))).status);
    expect(statuses).toEqual([...Array<number>(24).fill(200), 429, 429]);
    const limited = await api.anonymous.get("/search", from("192.0.2.1"));
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(limited.text).toMatch(/Too many requests came from your network\. Try again in \d+ second/);
    const harvester = await api.anonymous.get("/oai2d?verb=Identify", from("192.0.2.1"));
    expect([harvester.status, Number(harvester.headers.get("retry-after")) > 0]).toEqual([503, true]);
    expect((await api.anonymous.get("/search", from("192.0.2.2"))).status).toBe(200);
    expect((await (await api.as("ada")).get("/search", from("192.0.2.1"))).status).toBe(200);
    expect((await api.anonymous.get("/api/records", { headers: { "x-forwarded-for": "192.0.2.1" } })).status).toBe(200);
  });

  test("the operator can switch costs off, and visitors behind an untrusted local proxy pay nothing", () => {
    for (const [isOn, address] of [
      [false, "192.0.2.1"],
      [true, "127.0.0.1"],
    ] as const) {
      const costs = pageCosts(isOn);
      let passed = 0;
      for (let call = 0; call < 200; call++) {
        const req = { path: "/search.atom", ip: address, socket: {} } as never;
        costs.ofOpenRoutes(req, {} as never, () => (passed += 1));
      }
      expect(passed).toBe(200);
    }
  });
});

test("an overloaded server leaves out facets, then search, then archives, and comes back (web 10)", () => {
  const load = loadShedding();
  const levels = [300, 300, 300, 300, 300, 10, 300, 300, 300, 300, 300].map((delay) => {
    load.sample(delay);
    return load.level();
  });
  expect(levels).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2]);
  for (let second = 0; second < 10; second++) load.sample(10);
  expect(load.level()).toBe(0);
  load.stop();
});
