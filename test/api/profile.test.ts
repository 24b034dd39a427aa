import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { must } from "../support/files.ts";

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
});
