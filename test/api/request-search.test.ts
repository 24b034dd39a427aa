import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { givenDraft, givenReview, givenSubmitted } from "../support/reviews.ts";

describe.each(roles)("searching requests on the %s (requests 6)", (role) => {
  let api: Api;
  const given: Record<string, string> = {};
  beforeAll(async () => {
    api = await startApi(role);
    for (const title of ["alpha core", "beta core"]) {
      given[title] = (await givenSubmitted(api, "ada", "bob", title)).request;
    }
    given.draft = (await givenReview(api, "ada", "bob", "gamma core")).request;
    given.cancelled = (await givenSubmitted(api, "ada", "cleo", "delta")).request;
    await (await api.as("ada")).post(`/api/requests/${given.cancelled}/actions/cancel`);
  });
  afterAll(() => api.close());

  /** A replica lists what it holds. A manager, who may read everything, asks the server (hosts-and-sync 3). */
  const found = async (who: string, path: string): Promise<string[]> => {
    const asksServer = role === "replica" && who === "moderator";
    const scope = asksServer ? `${path.includes("?") ? "&" : "?"}scope=server` : "";
    const { body } = await (await api.as(who)).get(path + scope);
    return body.hits.hits.map((hit: { title: string; status: string }) => hit.title || hit.status);
  };

  test.each([
    ["ada", "/api/requests?sort=name", ["draft", "alpha core", "beta core", "delta"]],
    ["bob", "/api/requests?sort=name", ["alpha core", "beta core"]],
    ["cleo", "/api/requests", ["delta"]],
    ["moderator", "/api/requests?sort=name", ["alpha core", "beta core", "delta"]],
    ["dora", "/api/requests", []],
    ["ada", "/api/user/requests?sort=name", ["alpha core", "beta core", "delta"]],
    ["moderator", "/api/user/requests", []],
    ["moderator", "/api/user/requests?shared_with_me=true&sort=name", ["alpha core", "beta core", "delta"]],
    ["ada", "/api/requests?q=alpha", ["alpha core"]],
    ["ada", "/api/requests?q=status:cancelled", ["delta"]],
    ["ada", "/api/requests?is_open=true&sort=oldest", ["alpha core", "beta core"]],
    ["ada", "/api/requests?is_open=false&sort=name", ["draft", "delta"]],
    ["ada", "/api/requests?status=cancelled&status=draft&sort=name", ["draft", "delta"]],
    ["ada", "/api/requests?type=other", []],
    ["ada", "/api/requests?created_by=foo:1&sort=name&size=1", ["draft"]],
  ])("%s %s", async (who, path, expected) => {
    expect(await found(who, path)).toEqual(expected);
  });

  test("filters by person and topic; no colon is 400 with that field; anonymous 403; suggest 400", async () => {
    const ada = await api.as("ada");
    const bob = await api.idOf("bob");
    expect(await found("ada", `/api/requests?receiver=user:${bob}&sort=name`)).toEqual([
      "draft",
      "alpha core",
      "beta core",
    ]);
    const { topic } = (await ada.get(`/api/requests/${given["beta core"]}`)).body;
    expect(await found("ada", `/api/requests?topic=record:${topic.record}`)).toEqual(["beta core"]);
    for (const name of ["created_by", "receiver", "topic"]) {
      expect((await ada.get(`/api/requests?${name}=7`)).body.errors[0].field).toBe(name);
    }
    expect((await api.anonymous.get("/api/requests")).status).toBe(403);
    expect((await api.anonymous.get("/api/user/requests")).status).toBe(403);
    expect((await ada.get("/api/requests?suggest=a")).status).toBe(400);
    expect((await ada.post("/api/requests", {})).status).toBe(405);
  });

  test("envelope and aggregations, which facet filters do not narrow; hits as a single GET", async () => {
    const ada = await api.as("ada");
    const { body } = await ada.get("/api/requests?status=cancelled");
    expect(Object.keys(body).sort()).toEqual(["aggregations", "hits", "links", "page", "sortBy"]);
    expect(body).toMatchObject({ sortBy: "newest", page: 1, hits: { total: 1 } });
    expect(body.aggregations.status).toEqual({
      label: "Status",
      buckets: [
        { key: "submitted", doc_count: 2, label: "Submitted", is_selected: false },
        { key: "cancelled", doc_count: 1, label: "Cancelled", is_selected: true },
        { key: "draft", doc_count: 1, label: "Draft", is_selected: false },
      ],
    });
    expect(body.aggregations.type.label).toBe("Type");
    expect(body.hits.hits[0]).toEqual((await ada.get(`/api/requests/${given.cancelled}`)).body);
    expect((await ada.get("/api/requests?q=alpha")).body.sortBy).toBe("bestmatch");
    expect((await ada.get("/api/requests?sort=bestmatch")).body.sortBy).toBe("newest");
  });

  test("of one topic: for readers of the record or draft, only requests that they may read", async () => {
    const record = await givenDraft(api, "ada");
    expect((await (await api.as("dora")).get(`/api/records/${record}/requests`)).status).toBe(403);
    expect((await (await api.as("ada")).get(`/api/records/${record}/requests`)).body.hits.total).toBe(0);
    expect((await (await api.as("ada")).get("/api/records/aaaaa-bbb00/requests")).status).toBe(404);
  });
});

describe.each(roles)("requests on one record on the %s (requests 3.1)", (role) => {
  test("the list of a draft's requests opens with an access link, as each of them does (requests 3.1)", async () => {
    const api = await startApi(role);
    const [ada, cleo] = [await api.as("ada"), await api.onServer("cleo")];
    const draft = await givenDraft(api, "ada");
    const review = { type: "default-request", receiver: { user: await api.idOf("bob") } };
    const { id } = (await ada.put(`/api/records/${draft}/draft/review`, review)).body;
    const link = (await ada.post(`/api/records/${draft}/access/links`, { permission: "preview" })).body.token;
    await api.waitForSync();
    const list = `/api/records/${draft}/requests?token=${link}`;
    expect((await cleo.get(list)).body.hits.hits).toEqual([]);
    await ada.post(`/api/requests/${id}/actions/submit`);
    await api.waitForSync();
    expect((await cleo.get(list)).body.hits.hits).toMatchObject([{ id, status: "submitted" }]);
    expect((await cleo.get(`/api/requests/${id}?token=${link}`)).status).toBe(200);
    expect((await cleo.get("/api/requests")).body.hits.hits).toEqual([]);
    expect((await api.anonymous.get(list)).body.hits.hits).toEqual([]);
  });
});
