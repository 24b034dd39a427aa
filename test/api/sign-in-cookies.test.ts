import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { answerTo } from "../support/raw-request.ts";

const password = "a horse of many stables";

describe("signing in by a page without script (web 9)", () => {
  test("a browser that sent no cookie is led on by the sign-in page, which says so where it keeps none (issue 18)", async () => {
    const api = await startApi();
    await api.server.services.signIn.resetPassword(await api.idOf("ada"), password);
    const { url } = api.server;
    const body = new URLSearchParams({ account: "ada", password, next: "/records/abc" }).toString();
    // Not by fetch, which says what its calls are for by itself.
    const lines = [
      "POST /sign-in HTTP/1.1",
      `Host: ${new URL(url).host}`,
      `Origin: ${url}`,
      "Sec-Fetch-Mode: navigate",
    ];
    const form = [
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ];
    const sent = await answerTo(url, [...lines, ...form, "", body].join("\r\n"));
    const [, there = ""] = /^location: (\S+)/im.exec(sent) ?? [];
    const cookies = [...sent.matchAll(/^set-cookie: ([^=]+)=([^;]*)/gim)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    );
    expect((await new FormBrowser(url, new Map(cookies)).open(there)).headers.get("location")).toBe("/records/abc");
    const forgetful = await new FormBrowser(url).open(there);
    expect(forgetful.text).toMatch(/class="problem"[^>]*>[^<]*your browser keeps no cookies of this site/);
    expect(forgetful.text).toContain('name="next" value="/records/abc"');
  });
});
