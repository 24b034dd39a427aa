import { describe, expect, test } from "vitest";
import { mentionsIn } from "../../shared/comments/mention.policy.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { comment, givenSubmitted } from "../support/reviews.ts";

const about = { field: "metadata.title" };

/** Kinds of a user's notifications, newest first. */
const kindsFor = async (api: Api, name: string): Promise<string[]> =>
  (await (await api.onServer(name)).get("/api/sync/notifications")).body.hits.hits.map(
    ({ kind }: { kind: string }) => kind,
  );

describe.each(roles)("comments on a field or file on the %s (app 17.6)", (role) => {
  test("keep their place, are found by it, and are settled by their author or the draft's owner alone", async () => {
    const api = await startApi(role);
    const [ada, bob, cleo] = [await api.as("ada"), await api.as("bob"), await api.as("cleo")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const reviewer = { user: await api.idOf("cleo") };
    expect((await ada.post(`/api/requests/${request}/reviewers`, reviewer)).status).toBe(200);
    await api.waitForSync();
    const path = `/api/requests/${request}/comments`;
    const onTitle = await bob.post(path, { about, ...comment("Too short") });
    expect(onTitle.status, onTitle.text).toBe(201);
    expect(onTitle.body).toMatchObject({ about, permissions: { can_resolve_comment: true } });
    const onFile = await bob.post(path, { about: { file: "data/a table.csv" }, ...comment("Units?") });
    const plain = await bob.post(path, comment("In general fine"));
    expect(plain.body.permissions).not.toHaveProperty("can_resolve_comment");
    await api.waitForSync();
    const found = async (q: string) =>
      (await ada.get(`/api/requests/${request}/timeline?q=${encodeURIComponent(q)}`)).body.hits.hits.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found("_exists_:about.field OR _exists_:about.file")).toEqual([onTitle.body.id, onFile.body.id]);
    expect(await found('about.file:"data/a table.csv"')).toEqual([onFile.body.id]);

    const one = `${path}/${onTitle.body.id}`;
    expect((await cleo.get(one)).body.permissions.can_resolve_comment, "another reviewer reads only").toBe(false);
    expect((await cleo.post(`${one}/resolve`)).status).toBe(403);
    expect((await bob.post(`${path}/${plain.body.id}/resolve`)).status).toBe(400);
    const settled = await ada.post(`${one}/resolve`);
    expect(settled.status, settled.text).toBe(200);
    expect(settled.body).toMatchObject({ about: { ...about, resolved_by: await api.idOf("ada") }, revision_id: 2 });
    expect(settled.body.updated, "the words are the same").toBe(settled.body.created);
    await api.waitForSync();
    const again = await bob.post(`${one}/resolve`);
    expect(again.body, "the first one stays named").toMatchObject({
      ...{ about: settled.body.about, revision_id: 2 },
    });
    expect((await bob.post(`${one}/reopen`)).body).toMatchObject({ about, revision_id: 3 });
    await api.waitForSync();
    expect((await ada.get(one)).body.about).toEqual(about);
    expect((await bob.delete(one)).status).toBe(204);
    await api.waitForSync();
    expect((await ada.post(`${one}/resolve`)).status, "a deleted comment").toBe(403);
  });

  test("a mention notifies exactly once who may read the request, and nobody else (app, missing 6)", async () => {
    const api = await startApi(role);
    const [ada, bob] = [await api.as("ada"), await api.as("bob")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const reviewer = { user: await api.idOf("cleo") };
    expect((await ada.post(`/api/requests/${request}/reviewers`, reviewer)).status).toBe(200);
    await api.waitForSync();
    const [adaId, cleoId, doraId] = [await api.idOf("ada"), await api.idOf("cleo"), await api.idOf("dora")];
    const at = (...ids: string[]) => ids.map((id) => `<a href="/people/${id}">@x</a>`).join(" ");
    const path = `/api/requests/${request}/comments`;
    const posted = await bob.post(path, comment(`<p>${at(adaId, doraId, adaId)} look</p>`));
    expect(posted.status, posted.text).toBe(201);
    await api.waitForSync();
    expect(await kindsFor(api, "ada")).toEqual(["mentioned"]);
    expect(await kindsFor(api, "cleo")).toEqual(["commented", "submitted"]);
    expect(await kindsFor(api, "dora"), "may not read the request").toEqual([]);
    const edited = comment(`<p>${at(adaId, cleoId)} look</p>`);
    expect((await bob.put(`${path}/${posted.body.id}`, edited)).status).toBe(200);
    expect((await bob.put(`${path}/${posted.body.id}`, edited)).status).toBe(200);
    await api.waitForSync();
    expect(await kindsFor(api, "cleo"), "once for the edit").toEqual(["mentioned", "commented", "submitted"]);
    expect(await kindsFor(api, "ada"), "mentioned before").toEqual(["mentioned"]);
    const quoted = `<blockquote><p>${at(adaId)}</p></blockquote><p>I agree</p>`;
    expect((await bob.post(path, comment(quoted))).status).toBe(201);
    await api.waitForSync();
    expect(await kindsFor(api, "ada")).toEqual(["commented", "mentioned"]);
    const decision = comment(`<p>${at(cleoId, adaId)}, sorry</p>`);
    expect((await bob.post(`/api/requests/${request}/actions/decline`, decision)).status).toBe(200);
    await api.waitForSync();
    expect((await kindsFor(api, "cleo"))[0], "with a decision").toBe("mentioned");
    expect(await kindsFor(api, "ada")).toEqual(["declined", "commented", "mentioned"]);
  });
});

test("offline, a comment on a field is written, settled and mentioned, and each takes effect once (app 17.6)", async () => {
  const api = await startApi("replica");
  const [ada, bob] = [await api.as("ada"), await api.as("bob")];
  const { request } = await givenSubmitted(api, "ada", "bob");
  await api.waitForSync();
  await bob.post("/api/sync/pause");
  const path = `/api/requests/${request}/comments`;
  const words = comment(`<p><a href="/people/${await api.idOf("ada")}">@Ada</a> too short</p>`);
  const { body } = await bob.post(path, { about, ...words });
  const { body: other } = await bob.post(path, { about, ...words });
  expect((await bob.post(`${path}/${body.id}/resolve`)).body).toMatchObject({
    about: { ...about, resolved_by: await api.idOf("bob") },
    sync: { state: "pending" },
  });
  expect((await bob.post(`${path}/${other.id}/resolve`)).status).toBe(200);
  expect((await bob.delete(`${path}/${other.id}`)).status, "its settling goes with it").toBe(204);
  await bob.post("/api/sync/resume");
  await api.waitForSync();
  expect((await ada.get(`${path}/${body.id}`)).body.about).toEqual({ ...about, resolved_by: await api.idOf("bob") });
  expect((await bob.get("/api/sync/tray")).body.hits.hits).toEqual([]);
  expect(await kindsFor(api, "ada")).toEqual(["mentioned"]);
});

test.each([
  ['<p><a href="/people/a">@A</a> <a title="b" href="/people/b">@B</a> <a href="/people/a">@A</a></p>', ["a", "b"]],
  ['<blockquote><blockquote>x</blockquote><a href="/people/a">@A</a></blockquote>', []],
  ['<p><a href="/people/">@</a><a href="/people/a/b">@</a><a href="https://x.org/people/a">@</a> /people/a</p>', []],
])("mentions in %s (app, missing 6)", (html, ids) => {
  expect(mentionsIn(html)).toEqual(ids);
});
