import type { Socket } from "node:net";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { pictureIn } from "../../shared/users/picture-frame.ts";
import { roles, startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { picture, shapeOf } from "../support/pictures.ts";
import { openRequest, send as sendBytes, statusLine } from "../support/raw-request.ts";
import { bearer, givenUser, startServer, tokenFor } from "../support/sign-in.ts";

describe.each(roles)("the own profile on the %s (app, Missing 11)", (role) => {
  test("name, affiliations, ORCID and visibility are changed; what is absent stays, null removes the ORCID", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const id = await api.idOf("ada");
    const sent = {
      full_name: " Ada  Mohr ",
      affiliations: "Institute of Ice",
      orcid: "https://orcid.org/0000-0002-1825-0097",
    };
    expect(must(await ada.put("/api/me", sent), 200).body).toMatchObject({
      profile: { full_name: expect.stringMatching(/^Ada +Mohr$/), affiliations: "Institute of Ice" },
      identities: { orcid: "0000-0002-1825-0097" },
      preferences: { visibility: "public", email_visibility: "restricted" },
    });
    const seen = must(await (await api.onServer("bob")).get(`/api/users/${id}`), 200).body;
    expect([seen.identities, seen.preferences]).toEqual([{ orcid: "0000-0002-1825-0097" }, undefined]);
    must(await ada.put("/api/me", { orcid: null, visibility: "restricted" }), 200);
    const own = must(await (await api.onServer("ada")).get("/api/me"), 200).body;
    expect(own.identities).toBeUndefined();
    expect(own).toMatchObject({
      profile: { affiliations: "Institute of Ice" },
      preferences: { visibility: "restricted" },
    });
    expect((await (await api.onServer("bob")).get(`/api/users/${id}`)).status).toBe(403);
    expect((await ada.get("/api/me")).body.preferences.visibility).toBe("restricted");
  });

  test("a wrong ORCID is refused at its field, and nobody changes another user or their own rights", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const refused = await ada.put("/api/me", { orcid: "0000-0002-1825-0098" });
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, "orcid"]);
    must(await ada.put("/api/me", { id: "1", active: false, roles: ["admin"], username: "root" }), 200);
    expect((await ada.get("/api/me")).body).toMatchObject({ username: "ada", active: true, roles: [] });
    expect((await api.anonymous.put("/api/me", {})).status).toBe(401);
  });

  test("a picture is cut to a square, is the avatar for others, also offline once shown, and is removed; others are refused (app, Missing 11)", async () => {
    const api = await startApi(role);
    const ada = await api.as("ada");
    const id = await api.idOf("ada");
    const avatar = `/api/users/${id}/avatar.svg`;
    const drawn = async (client: typeof ada) => {
      const { text, status } = await client.get(avatar);
      const bytes = pictureIn(text);
      return status === 200 && bytes ? shapeOf(bytes) : text.includes(">A</text>");
    };
    const send = (bytes: Uint8Array | string) => ada.putBytes("/api/me/picture", bytes);
    expect([(await send("<svg/>")).status, (await send(Buffer.alloc(10_000_001))).status]).toEqual([400, 413]);
    expect((await send((await picture(40, 40, "png")).subarray(0, 60))).status).toBe(422);
    expect((await ada.get("/api/me")).body.profile.picture).toBeUndefined();
    expect(await drawn(ada)).toBe(true);
    expect((await api.anonymous.delete("/api/me/picture")).status).toBe(401);

    must(await send(await picture(600, 400, "png")), 204);
    const first = (await ada.get("/api/me")).body;
    expect(first).toMatchObject({ profile: { picture: expect.stringMatching(/^[0-9a-f]{16}$/) } });
    expect(JSON.stringify(first.preferences)).not.toContain("picture");
    const bob = await api.as("bob");
    const card = must(await bob.get(`/api/users/${id}`), 200).body;
    expect([card.profile.picture, await drawn(bob)]).toEqual([first.profile.picture, [192, 192, "jpeg"]]);
    const { headers } = await ada.get(avatar);
    expect((await ada.get(avatar, { headers: { "if-none-match": headers.get("etag") ?? "" } })).status).toBe(304);
    expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    must(await send(await picture(100, 300, "jpeg")), 204);
    expect((await ada.get("/api/me")).body.profile.picture).not.toBe(first.profile.picture);
    expect(await drawn(ada)).toEqual([100, 100, "jpeg"]);

    must(await ada.delete("/api/me/picture"), 204);
    expect((await ada.get("/api/me")).body.profile.picture).toBeUndefined();
    expect(await drawn(ada)).toBe(true);
    expect(await api.server.host.db.selectFrom("user_picture").selectAll().execute()).toEqual([]);
  });
});

interface Begun {
  authorization: string | undefined;
  bytes: Uint8Array;
  /** Sends the same picture. */
  send(): Promise<{ status: number }>;
}

/** A call that has begun to send a picture, which the server waits for. */
async function beginPicture(url: string, { authorization = "", bytes, send }: Begun): Promise<Socket> {
  const type = { "content-type": "application/octet-stream", "content-length": String(bytes.length) };
  for (let calls = 1; ; calls++) {
    const slow = await openRequest(url, {
      method: "PUT",
      path: "/api/me/picture",
      headers: { authorization, ...type },
    });
    await sendBytes(slow, bytes.subarray(0, 100));
    for (let call = 0; call < calls; call++) await new HttpClient(url).get("/api/records");
    if ((await send()).status === 429) return slow;
    // The other one came first. More calls in between give this one more time.
    slow.destroy();
    await expect.poll(async () => (await send()).status).toBe(204);
  }
}

test("a user sends one picture at a time, so nobody fills the disk, or lets all pictures wait for theirs (issue 15)", async () => {
  const api = await startApi("server");
  const [ada, bob] = [await api.atOneProcess("ada"), await api.as("bob")];
  const bytes = await picture(600, 400, "png");
  const send = (client: typeof ada) => client.putBytes("/api/me/picture", bytes);
  const slow = await beginPicture(api.server.url, {
    authorization: ada.authorization,
    bytes,
    send: () => send(ada),
  });
  const refused = await send(ada);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  must(await send(bob), 204);
  const answered = statusLine(slow);
  await sendBytes(slow, bytes.subarray(100));
  expect(await answered).toContain("204");
  slow.destroy();
  must(await send(ada), 204);
});

test("a client that hangs up while it sends a picture is no error in the log (issue 15)", async () => {
  const lines: unknown[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const server = await startServer(undefined, { log });
  await givenUser(server, "ada");
  const { token } = await tokenFor(server, "ada");
  const bytes = await picture(600, 400, "png");
  const send = () => bearer(server, token).putBytes("/api/me/picture", bytes);
  (await beginPicture(server.url, { authorization: `Bearer ${token}`, bytes, send })).destroy();
  await expect.poll(async () => (await send()).status).toBe(204);
  await server.close();
  expect(lines).toEqual([]);
});
