import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newUser } from "../../shared/users/user.schema.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { publish } from "../support/records.ts";
import { givenComment, givenReview } from "../support/reviews.ts";
import { draftBody, recordWith } from "../support/searchable.ts";

/** The name of a hit in these tables. */
interface Hit {
  id: string;
  title?: string;
  username?: string;
  metadata?: { title: string };
  payload?: { content: string };
}
const nameOf = ({ id, title, username, metadata, payload }: Hit): string =>
  metadata?.title ?? payload?.content ?? username ?? title ?? id;

/**
 * List, sort option, and the expected order. Created as Beta, alpha, Alpha; then changed in another order.
 */
const table: readonly (readonly [list: string, sort: string, order: string])[] = [
  ["records", "oldest", "Beta alpha Alpha"],
  ["records", "newest", "Alpha alpha Beta"],
  ["records", "updated-asc", "alpha Alpha Beta"],
  ["records", "updated-desc", "Beta Alpha alpha"],
  ["records", "version", "Alpha alpha Beta"],
  ["user/records?allversions=true", "version", "alpha2 Alpha alpha Beta"],
  ["user/records", "oldest", "Beta Alpha alpha2"],
  ["requests", "oldest", "Beta alpha Alpha"],
  ["requests", "newest", "Alpha alpha Beta"],
  ["requests", "name", "Alpha alpha Beta"],
  ["requests", "newestactivity", "Beta Alpha alpha"],
  ["requests", "oldestactivity", "alpha Alpha Beta"],
  ["timeline", "oldest", "Beta alpha Alpha"],
  ["timeline", "newest", "Alpha alpha Beta"],
  ["groups", "name", "Alpha Beta alpha"],
  ["groups", "name_desc", "alpha Beta Alpha"],
  ["groups", "managed", "Alpha alpha Beta"],
  ["groups", "unmanaged", "Beta Alpha alpha"],
  ["users?q=person", "username", "Alpha_ Beta alpha"],
  ["users?q=person", "email", "Beta alpha Alpha_"],
  ["users?q=person", "domain", "alpha Beta Alpha_"],
  ["users?q=person", "oldest", "Beta alpha Alpha_"],
  ["users?q=person", "newest", "Alpha_ alpha Beta"],
  ["users?q=person", "updated", "Alpha_ alpha Beta"],
];

describe.each(roles)("sort options on the %s (search 7)", (role) => {
  let api: Api;
  let moderator: HttpClient;
  let ada: HttpClient;
  let request = "";

  beforeAll(async () => {
    api = await startApi(role);
    [ada, moderator] = [await api.as("ada"), await api.as("moderator")];
    const made: Record<string, string> = {};
    const emails = { Beta: "a@b.example", alpha: "b@a.example", Alpha: "hidden@a.example" };
    for (const [name, email] of Object.entries(emails)) {
      made[name] = await recordWith(ada, { title: name });
      made[`review of ${name}`] = (await givenReview(api, "ada", "moderator", `${name} under review`)).request;
      const title = { title: name, description: null };
      await (await api.onServer("ada")).put(`/api/requests/${made[`review of ${name}`]}`, title);
      await api.server.services.groups.provide({ name, description: null, is_managed: name !== "Beta" });
      const email_visibility = name === "Alpha" ? "restricted" : "public";
      await api.server.services.users.create(
        newUser.parse({ username: name === "Alpha" ? "Alpha_" : name, email, email_visibility, full_name: "Person" }),
      );
    }
    request = made["review of Beta"] ?? "";
    for (const text of Object.keys(emails)) await givenComment(api, "ada", request, text);
    await ada.post(`/api/records/${made.Beta}/draft`);
    await publish(ada, made.Beta ?? "");
    const { id } = (await ada.post(`/api/records/${made.alpha}/versions`)).body;
    await ada.put(`/api/records/${id}/draft`, draftBody({ title: "alpha2" }));
    await api.waitForSync();
  });
  afterAll(() => api.close());

  test.each(table)("%s by %s: %s", async (list, sort, order) => {
    const [path = "", query = ""] = list.split("?");
    // A replica has only some groups and users: the server has the whole lists (hosts-and-sync 3).
    const isPeople = path === "groups" || path === "users";
    const wide = role === "replica" && isPeople ? "&scope=server" : "";
    const address = path === "timeline" ? `requests/${request}/timeline` : path;
    const answer = await (isPeople ? moderator : ada).get(`/api/${address}?${query}&sort=${sort}${wide}`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.sortBy).toBe(sort);
    const wanted = order.split(" ");
    expect(answer.body.hits.hits.map(nameOf).filter((name: string) => wanted.includes(name))).toEqual(wanted);
  });
});
