import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { givenRecord } from "../support/records.ts";

describe("the pages that self_html links name (records 9, requests 3)", () => {
  test("each offers the app, whether the id exists or not", async () => {
    const api = await startApi("server");
    const record = await givenRecord(await api.as("alice"));
    const pages = {
      [`/records/${record}`]: `carrel://record/${record}`,
      [`/records/${record}/latest`]: `carrel://record/${record}`,
      "/uploads/00000-00000": "carrel://draft/00000-00000",
      "/me/requests/01a1fbc2-bece-7f2c-b4b3-8ba73ff435be": "carrel://request/01a1fbc2-bece-7f2c-b4b3-8ba73ff435be",
    };
    for (const [path, link] of Object.entries(pages)) {
      const { status, headers, text } = await api.anonymous.get(path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toMatch(/^text\/html/);
      expect(text).toContain(`href="${link}"`);
    }
  });
  test("nothing of the address but an id gets into the page", async () => {
    const api = await startApi("server");
    const { status, text } = await api.anonymous.get("/records/%3Cscript%3E");
    expect(status).toBe(404);
    expect(text).not.toContain("<script>");
  });
});
