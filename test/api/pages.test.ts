import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import { answerTo } from "../support/raw-request.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const from = (address: string): string => new URL(address).pathname + new URL(address).search;

describe("pages on the server (hosts-and-sync 8, Pages)", () => {
  test("the addresses in self_html, preview_html, parent_html, record_html, latest_html answer", async () => {
    const api = await startApi("server");
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const draft = (await alice.get(`/api/records/${id}/draft`)).body;
    const drafts = Object.entries(draft.links).filter(([name]) => name.endsWith("_html"));
    for (const [name, address] of drafts) {
      const first = await alice.get(from(String(address)));
      const page = first.status === 302 ? await alice.get(from(String(first.headers.get("location")))) : first;
      expect(page.status, name).toBe(200);
      expect(page.text, name).toContain("A Romans story");
    }
    await publish(alice, id);
    const record = (await alice.get(`/api/records/${id}`)).body;
    for (const [name, address] of Object.entries({ ...record.links, ...record.parent.links })) {
      if (!name.endsWith("_html")) continue;
      const first = await api.anonymous.get(from(String(address)));
      const page = first.status === 302 ? await api.anonymous.get(from(String(first.headers.get("location")))) : first;
      expect(page.status, `${name} ${address}`).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.text).toContain("A Romans story");
      expect(page.text).toContain("Brown, T. (2020).");
      expect(page.text).toContain(`href="carrel://record/${id}"`);
    }
    expect((await api.anonymous.get(`/records/${record.parent.id}`)).headers.get("location")).toMatch(
      new RegExp(`/records/${id}$`),
    );
  });

  test("HTML is escaped, nothing may run", async () => {
    const api = await startApi("server");
    const alice = await api.as("alice");
    const title = `<script>alert("x")</script>`;
    const id = await givenRecord(alice, { files: { enabled: false }, metadata: { ...metadata, title } });
    const page = await api.anonymous.get(`/records/${id}`);
    expect(page.text).toContain("&lt;script&gt;");
    // JSON-LD is data: its element is the only script, and its text cannot end it.
    const scripts = page.text.match(/<script[^>]*>/g)?.filter((tag) => !tag.includes('src="/assets/enhance-'));
    expect(scripts).toEqual(['<script type="application/ld+json">']);
    expect(page.text).toContain('"name":"\\u003cscript>');
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
  });

  test("what the caller may see: 403 for what exists, a token= link works, files go with the link", async () => {
    const api = await startApi("server");
    const alice = await api.as("alice");
    const id = await givenDraft(alice, { metadata, access: { record: "restricted", files: "restricted" } });
    await addFile(alice, id, "core & rim.bin", "bytes");
    const draft = await api.anonymous.get(`/uploads/${id}`);
    expect(draft.status).toBe(403);
    expect(draft.text).not.toContain("Romans");
    expect(draft.text).toContain(`carrel://draft/${id}`);
    await publish(alice, id);
    expect((await api.anonymous.get(`/records/${id}`)).status).toBe(403);
    const link = await alice.post(`/api/records/${id}/access/links`, { permission: "view" });
    const shown = await api.anonymous.get(`/records/${id}?token=${link.body.token}`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain("core &amp; rim.bin");
    const [, address = ""] = /<li class="file"><a href="([^"]+)"/.exec(shown.text) ?? [];
    const file = await api.anonymous.get(address.replaceAll("&amp;", "&"));
    expect((await api.anonymous.get(from(file.headers.get("location") ?? ""))).text).toBe("bytes");
    expect((await api.anonymous.get("/records/aaaaa-bbb11")).status).toBe(404);
  });

  test("requests and deleted records", async () => {
    const api = await startApi("server");
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const receiver = { user: await api.idOf("bob") };
    const review = await alice.put(`/api/records/${id}/draft/review`, { type: "default-request", receiver });
    expect(review.status, review.text).toBe(200);
    const page = from(review.body.links.self_html);
    expect((await alice.get(page)).text).toContain(`carrel://request/${review.body.id}`);
    expect((await api.anonymous.get(page)).status).toBe(403);
    const deletedId = await givenRecord(alice);
    const deleted = await (await api.as("admin")).delete(`/api/records/${deletedId}/delete`, {
      removal_reason: { id: "test-record" },
      citation_text: "Was here (2020)",
    });
    expect(deleted.status, deleted.text).toBe(204);
    const tombstone = await api.anonymous.get(`/records/${deletedId}`);
    expect(tombstone.status).toBe(410);
    // Whom to ask (app day: deleted).
    expect(tombstone.text).toContain('<a href="/contact">Write to us</a>');
    expect(tombstone.text).toContain("Was here (2020)");
  });

  test.each([
    ["//", 200, "/"],
    ["/\\", 404, "/"],
    ["//[", 404, "/["],
    ["//evil.example/x", 404, "/evil.example/x"],
    ["/\\evil.example/x", 404, "/evil.example/x"],
    ["http://x/about", 200, "/about"],
  ])("the links of a page stay on its site, whatever its address: %s (web 3, issue 18)", async (path, status, own) => {
    const { url } = (await startApi("server")).anonymous;
    const lines = [`GET ${path} HTTP/1.1`, "Host: x", "Accept: text/html", "Connection: close"];
    const answer = await answerTo(url, `${lines.join("\r\n")}\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`href="${own}?lang=de"`);
    // By another name than its address, too, the script and the font of the build load.
    expect(answer).toMatch(/font-src http:\/\/127\.0\.0\.1:\d+\/assets\/ x\/assets\/;/);
    expect(answer).toContain(own === "/" ? 'href="/sign-in"' : `href="/sign-in?next=${encodeURIComponent(own)}"`);
  });
});
