import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { linkToken } from "../../shared/accounts/link-secret.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { roles, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { addFile, fileOf, filesOf, givenDraft, givenRecord } from "../support/files.ts";
import { givenSubmitted } from "../support/reviews.ts";
import { startServer } from "../support/sign-in.ts";

const restricted = { access: { record: "restricted", files: "restricted" } } as const;

test.each(roles)(
  "answers through a link's token are kept by no cache and told to no other site, on the %s (security 10)",
  async (role) => {
    const api = await startApi(role);
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const id = await givenRecord(alice, { "a.txt": "text" }, restricted);
    const { token } = (await alice.post(`/api/records/${id}/access/links`, { permission: "view" })).body;
    const paths = [
      "",
      "/files",
      "/files/a.txt",
      "/files/a.txt/content",
      "/files-archive",
      "/versions",
      "/versions/latest",
    ];
    const addresses = [
      ...paths.map((path) => `/api/records/${id}${path}`),
      `/records/${id}`,
      "/api/records",
      `/api/iiif/record:${id}/manifest`,
      "/api/users",
      "/api/unknown",
    ];
    const readers = role === "server" ? [api.anonymous, bob] : [bob];
    for (const reader of readers) {
      for (const address of addresses) {
        for (const secret of [`token=${token}`, "token=wrong"]) {
          for (const method of ["GET", "HEAD"]) {
            const { status, headers } = await reader.call(method, `${address}?${secret}`);
            const policies = [headers.get("cache-control"), headers.get("referrer-policy")];
            expect([method, address, status, ...policies]).toEqual([
              method,
              address,
              status,
              "no-store",
              "no-referrer",
            ]);
          }
        }
      }
    }
    const bearer = alice.authorization.slice("Bearer ".length);
    if (role === "replica") return;
    const { status, headers } = await api.anonymous.get(`/api/user/records?access_token=${bearer}`);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  },
);

test("a failure of the server writes no link of a mail into the log (issue 15)", async () => {
  const lines: { path?: string }[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const server = await startServer(undefined, { log });
  const secret = folderSecret(server.folder);
  for (const table of ["account_link", "access_confirmation"] as const) {
    await server.host.db.schema.dropTable(table).execute();
  }
  const browser = new FormBrowser(server.url);
  for (const page of ["reset-password", "invitation", "confirm-email", "access-requests"]) {
    expect((await browser.open(`/${page}/${linkToken(secret, "some-id")}`)).status).toBe(500);
  }
  expect(lines.map(({ path }) => path)).toEqual([
    "/reset-password/:token",
    "/invitation/:token",
    "/confirm-email/:token",
    "/access-requests/:token",
  ]);
  expect(JSON.stringify(lines)).not.toContain(linkToken(secret, "some-id"));
});

describe.each(roles)("names that read as others, on the %s (security 10)", (role) => {
  test("are refused for files and attachments, and cleaned from titles", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    await api.as("bob");
    const draft = await givenDraft(alice);
    const { request } = await givenSubmitted(api, "alice", "bob");
    for (const character of ["\u202e", "\u2066", "\u2029", "\u0007", "\ufeff"]) {
      const name = `invoice${character}gpj.exe`;
      const refused = await alice.post(filesOf(draft), [{ key: name }]);
      expect(refused.body.errors).toEqual([{ field: "0.key", messages: ["Not a valid file name."] }]);
      const path = `/api/requests/${request}/files/upload/${encodeURIComponent(name)}`;
      expect(await alice.putBytes(path, "x")).toMatchObject({ status: 400 });
    }
    for (const name of ["\u05e9\u05dc\u05d5\u05dd\u200f.txt", "\u0645\u06cc\u200c\u062e.txt", "\u65e5\u672c.txt"]) {
      await addFile(alice, draft, name, "text");
      expect((await alice.get(`${fileOf(draft, name)}/content`)).text).toBe("text");
    }
    const title = "Deep \u202esea\u202c core";
    const { body } = await alice.post("/api/records", { metadata: { title } });
    expect(body.metadata.title).toBe("Deep sea core");
  });
});
