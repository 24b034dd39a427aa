import { describe, expect, test } from "vitest";
import { FormBrowser } from "../support/browser-forms.ts";
import { arrive, grace, link, type Site, startSite, textOf, whoIs } from "../support/provider-site.ts";

const mapping = { claim: "groups", groups: { staff: "curators", editors: "night-shift", nowhere: "no-such-group" } };
const scope = "openid profile email groups";

async function startMapped(change: object = {}): Promise<Site> {
  const site = await startSite({ scope, groups_claim: mapping, ...change });
  const admin = await site.api.as("admin");
  for (const name of ["curators", "night-shift", "by-hand"]) await admin.post("/api/groups", { name });
  return site;
}

async function groupsOf({ api }: Site, name: string): Promise<string[]> {
  const { body } = await (await api.as("admin")).get(`/api/users/${await api.idOf(name)}/groups`);
  return body.groups.map((group: { id: string }) => group.id).sort();
}

const says = ({ provider }: Site, groups: unknown): void => {
  provider.state.account = { ...grace, groups };
};

describe("groups from a provider's claim (web 9)", () => {
  test("the operator's mapping alone decides; what the provider names no more is taken back, what is by hand stays", async () => {
    const site = await startMapped();
    says(site, ["staff", "superuser-access", "curators", "nowhere", 7, "__proto__"]);
    const ada = new FormBrowser(site.api.server.url);
    await link(site, ada, "ada");
    expect(await groupsOf(site, "ada")).toEqual(["curators"]);
    await (await site.api.as("admin")).post(`/api/users/${await site.api.idOf("ada")}/groups`, {
      groups: ["night-shift", "by-hand"],
    });
    const again = async (groups: unknown) => {
      says(site, groups);
      const browser = new FormBrowser(site.api.server.url);
      await arrive(site, browser);
      expect(await whoIs(site, browser)).toBe("ada");
      return groupsOf(site, "ada");
    };
    expect(await again(["editors"])).toEqual(["by-hand", "night-shift"]);
    // Given by hand before: not the provider's to take back.
    expect(await again(undefined)).toEqual(["by-hand", "night-shift"]);
    expect(await again("staff")).toEqual(["by-hand", "curators", "night-shift"]);
    const page = textOf(await ada.open("/account"));
    const [, id = ""] =
      /name="step" value="remove-identity"><input type="hidden" name="id" value="([^"]+)"/.exec(page) ?? [];
    await ada.send("/account", { step: "remove-identity", id });
    expect(await groupsOf(site, "ada")).toEqual(["by-hand", "night-shift"]);
  });

  test("a claim inside another one is found by its path, and a new account gets its groups", async () => {
    const site = await startMapped({
      accounts: "anyone",
      email_domains: ["uni.example"],
      groups_claim: { ...mapping, claim: "groups.here" },
    });
    says(site, { here: ["staff"] });
    const browser = new FormBrowser(site.api.server.url);
    await arrive(site, browser);
    await browser.send("/sign-in/link", { step: "create", username: "grace", full_name: "Grace Hopper" });
    expect(await whoIs(site, browser)).toBe("grace");
    const { body } = await site.api.anonymous.get("/api/me", { headers: browser.csrf });
    const groups = await (await site.api.as("admin")).get(`/api/users/${body.id}/groups`);
    expect(groups.body.groups).toMatchObject([{ id: "curators" }]);
  });

  test("a mapping that makes superusers is refused at the start", async () => {
    const groups_claim = { claim: "groups", groups: { staff: "superuser-access" } };
    await expect(startSite({ groups_claim })).rejects.toThrow(/must not give the group superuser-access/);
  });
});

describe("ORCID on the profile (web 9)", () => {
  test("a linked iD is verified and offered as creator's; another one, or removing the account, is not", async () => {
    const iD = "0000-0002-1825-0097";
    const site = await startSite({ kind: "orcid" }, { sub: iD, name: "Josiah Carberry" });
    const ada = new FormBrowser(site.api.server.url);
    await link(site, ada, "ada");
    const bob = await site.api.as("bob");
    const seen = async () => (await bob.get(`/api/users/${await site.api.idOf("ada")}`)).body.identities;
    expect(await seen()).toEqual({ orcid: iD, orcid_verified: true });
    const own = await site.api.as("ada");
    expect((await own.get("/api/me")).body.preferences).not.toHaveProperty("orcid_verified");
    await own.put("/api/me", { orcid: "0000-0001-5109-3700" });
    expect(await seen()).toEqual({ orcid: "0000-0001-5109-3700" });
    await own.put("/api/me", { orcid: iD });
    expect(await seen()).toEqual({ orcid: iD, orcid_verified: true });
    const page = textOf(await ada.open("/account"));
    const [, id = ""] =
      /name="step" value="remove-identity"><input type="hidden" name="id" value="([^"]+)"/.exec(page) ?? [];
    await ada.send("/account", { step: "remove-identity", id });
    expect(await seen()).toEqual({ orcid: iD });
  });
});
