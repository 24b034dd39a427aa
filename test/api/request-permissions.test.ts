import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { type Answer, HttpClient } from "../support/http-client.ts";
import { comment, publishable } from "../support/reviews.ts";
import { listRoutes } from "../support/routes.ts";

/** The caller's relation to the request: the columns of requests 3.1, some with several kinds. */
const callers = [
  "creator",
  "receiver",
  "moderator",
  "previewer",
  "viewer",
  "other",
  "anonymous",
  "link",
  "admin",
] as const;
type Caller = (typeof callers)[number];

const statuses = ["draft", "submitted", "accepted", "declined", "cancelled", "expired"] as const;
type Status = (typeof statuses)[number];
type Rule = (status: Status, caller: Caller) => boolean;

const isSuper = (caller: Caller): boolean => caller === "admin";
const isClosed = (status: Status): boolean => status !== "draft" && status !== "submitted";

/** Who may read a request: the creator while it is a draft, all parties later. */
const reads: Rule = (status, caller) =>
  isSuper(caller) ||
  caller === "creator" ||
  (status !== "draft" && ["receiver", "moderator", "previewer"].includes(caller));
const only =
  (...allowed: Caller[]): Rule =>
  (_status, caller) =>
    isSuper(caller) || allowed.includes(caller);
const edits: Rule = (status, caller) =>
  isSuper(caller) || (!isClosed(status) && (caller === "creator" || (caller === "receiver" && status === "submitted")));
const locks: Rule = (status, caller) => isSuper(caller) || (caller === "receiver" && status !== "draft");
const nobody: Rule = () => false;
/** The comment of these rows is by the creator. It has no place, so that nobody can resolve it. */
const isAuthor: Rule = (status, caller) => reads(status, caller) && only("creator")(status, caller);
const deletesComments: Rule = (status, caller) => reads(status, caller) && only("creator", "receiver")(status, caller);

/**
 * One row for each route: who may call it, and a call that changes nothing even if permitted, because its `If-Match` or
 * its body is refused after the permission check. `R`, `C`, `K`: ids of request, comment, attachment.
 */
const rows: [route: string, rule: Rule, path: string, body?: unknown][] = [
  ["GET /requests/:id", reads, "R"],
  ["PUT /requests/:id", edits, "R", {}],
  ["DELETE /requests/:id", (status, caller) => isSuper(caller) || (status === "draft" && caller === "creator"), "R"],
  ["POST /requests/:id/actions/:action", only("creator"), "R/actions/submit", {}],
  ["POST /requests/:id/actions/:action", only("creator"), "R/actions/cancel", {}],
  ["POST /requests/:id/actions/:action", only("receiver"), "R/actions/accept", {}],
  ["POST /requests/:id/actions/:action", only("receiver"), "R/actions/decline", {}],
  ["POST /requests/:id/actions/:action", nobody, "R/actions/expire", {}],
  ["GET /requests/:id/reviewers", reads, "R/reviewers"],
  ["POST /requests/:id/reviewers", only("creator"), "R/reviewers", {}],
  ["DELETE /requests/:id/reviewers/:who", only("creator"), "R/reviewers/none"],
  ["POST /requests/:id/lock", locks, "R/lock"],
  ["POST /requests/:id/unlock", locks, "R/unlock"],
  ["GET /requests/:id/timeline", reads, "R/timeline"],
  ["GET /requests/:id/timeline_focused", reads, "R/timeline_focused"],
  ["POST /requests/:id/comments", reads, "R/comments", {}],
  ["GET /requests/:id/comments/:cid", reads, "R/comments/C"],
  ["PUT /requests/:id/comments/:cid", isAuthor, "R/comments/C", comment("x")],
  ["DELETE /requests/:id/comments/:cid", deletesComments, "R/comments/C"],
  ["POST /requests/:id/comments/:cid/resolve", isAuthor, "R/comments/C/resolve"],
  ["POST /requests/:id/comments/:cid/reopen", isAuthor, "R/comments/C/reopen"],
  ["POST /requests/:id/comments/:cid/reply", reads, "R/comments/C/reply", {}],
  ["GET /requests/:id/comments/:cid/replies", reads, "R/comments/C/replies"],
  ["GET /requests/:id/comments/:cid/replies_focused", reads, "R/comments/C/replies_focused"],
  ["PUT /requests/:id/files/upload/:filename", reads, "R/files/upload/a.txt", new Uint8Array()],
  ["GET /requests/:id/files/:key/content", reads, "R/files/K/content"],
  ["DELETE /requests/:id/files/:key", reads, "R/files/none"],
];

interface Case {
  request: string;
  comment: string;
  key: string;
  link: string;
}

describe.each(roles)("who may do what with a request on the %s (requests 3.1)", (role) => {
  let api: Api;
  const cases = new Map<string, Case>();

  /** Clients of the server that do not wait for the replicas after each call. */
  const plain = async (who: string) => new HttpClient(api.server.url, (await api.person(who)).token);

  async function share(draft: string): Promise<string> {
    const owner = await plain("creator");
    for (const [who, permission] of [
      ["previewer", "preview"],
      ["viewer", "view"],
    ] as const) {
      const subject = { type: "user", id: await api.idOf(who) };
      await owner.post(`/api/records/${draft}/access/grants`, { grants: [{ permission, subject }] });
    }
    return (await owner.post(`/api/records/${draft}/access/links`, { permission: "preview" })).body.token;
  }

  async function expire(request: string): Promise<void> {
    const { db } = api.server.host;
    await db.updateTable("request").set({ expires_at: 1 }).where("id", "=", request).execute();
    await api.server.services.requestActions.expireDue();
  }

  async function given(status: Status, isLocked: boolean): Promise<Case> {
    const [creator, receiver] = [await plain("creator"), await plain("receiver")];
    const draft = (await creator.post("/api/records", publishable())).body.id;
    const wish = { receiver: { user: await api.idOf("receiver") } };
    const request = (await creator.put(`/api/records/${draft}/draft/review`, wish)).body.id;
    const path = `/api/requests/${request}`;
    const commentId = (await creator.post(`${path}/comments`, comment("mine"))).body.id;
    const { key } = (await creator.putBytes(`${path}/files/upload/a.txt`, "a")).body;
    const link = await share(draft);
    if (status !== "draft") await creator.post(`${path}/actions/submit`);
    if (status === "accepted") await receiver.post(`${path}/actions/accept`);
    if (status === "declined") await receiver.post(`${path}/actions/decline`);
    if (status === "cancelled") await creator.post(`${path}/actions/cancel`);
    if (status === "expired") await expire(request);
    if (isLocked) await (await plain("admin")).post(`${path}/lock`);
    expect((await creator.get(path)).body, status).toMatchObject({ status, is_locked: isLocked });
    return { request, comment: commentId, key, link };
  }

  beforeAll(async () => {
    api = await startApi(role);
    for (const caller of callers) if (caller !== "anonymous" && caller !== "link") await api.as(caller);
    for (const status of statuses) {
      cases.set(status, await given(status, false));
      if (status !== "draft") cases.set(`${status} and locked`, await given(status, true));
    }
    await api.waitForSync();
  });
  afterAll(() => api.close());

  /** Does not wait for replicas, because nothing changes. */
  async function clientOf(caller: Caller): Promise<HttpClient> {
    if (caller === "anonymous" || caller === "link") return api.anonymous;
    const { url, authorization } = await api.as(caller);
    return new HttpClient(url, authorization.replace("Bearer ", ""));
  }

  async function call(caller: Caller, state: string, [route, , path, body]: (typeof rows)[number]): Promise<Answer> {
    const found = cases.get(state);
    if (!found) throw new Error(`there is no request ${state}`);
    const where = path.replace("R", found.request).replace(/\/C(?=\/|$)/, `/${found.comment}`);
    const url = `/api/requests/${where.replace("/K/", `/${found.key}/`)}`;
    const isBytes = body instanceof Uint8Array;
    const headers = { "if-match": "999", ...(isBytes ? { "content-type": "application/octet-stream" } : {}) };
    const client = await clientOf(caller);
    return client.call(route.split(" ")[0] ?? "", caller === "link" ? `${url}?token=${found.link}` : url, body, {
      headers,
    });
  }

  const isDenied = ({ status, body }: Answer): boolean => status === 403 && body?.message === "Permission denied.";

  const named = rows.map((row) => [row[0], row[2], row] as const);
  test.each(named)("%s: %s", async (_route, path, row) => {
    const rule = row[1];
    const wrong: string[] = [];
    for (const status of statuses) {
      // A locked request can be unlocked and the reverse: the call without effect is the other one.
      const state = path === "R/lock" && status !== "draft" ? `${status} and locked` : status;
      for (const caller of callers) {
        const answer = await call(caller, state, row);
        const isOdd = answer.status === 401 || answer.status >= 500;
        if (isOdd || isDenied(answer) === rule(status, caller)) wrong.push(`${caller}, ${state}: ${answer.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("comment, reply, upload, edit while locked: `locked` for all but a superuser (requests 10)", async () => {
    const wrong: string[] = [];
    const writesContent = /comments$|comments\/C$|reply$|upload/;
    for (const row of rows.filter(([route, , path]) => /^(POST|PUT)/.test(route) && writesContent.test(path))) {
      for (const caller of callers) {
        const { status, body } = await call(caller, "submitted and locked", row);
        const isHeldOff = status === 403 && /locked/.test(body.message);
        const isMeant = row[1]("submitted", caller) && !isSuper(caller);
        if (isHeldOff !== isMeant) wrong.push(`${row[0]} by ${caller}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("DELETE of an attachment: uploader, receiver, superuser (requests 9)", async () => {
    const creator = await plain("creator");
    const path = `/api/requests/${cases.get("submitted")?.request}/files`;
    for (const caller of callers) {
      const { key } = (await creator.putBytes(`${path}/upload/b.txt`, "b")).body;
      const isAllowed = ["creator", "receiver", "admin"].includes(caller);
      const client = await clientOf(caller);
      // A replica knows the file once the feed has brought it; until then it answers 404.
      const deleted = async () => (await client.delete(`${path}/${key}`)).status;
      await expect.poll(deleted, { message: caller }).toBe(isAllowed ? 204 : 403);
    }
  });

  test("every route of a request has a row", () => {
    const known = new Set(rows.map(([route]) => route));
    const routes = listRoutes(api).filter((route) => / \/requests\/:id/.test(route));
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(15);
  });
});
