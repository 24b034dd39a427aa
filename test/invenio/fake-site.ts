import { type FakeInvenio, startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { until } from "../support/until.ts";
import type { SiteUnderTest } from "./site-under-test.ts";

/** The fake with the people of the rows. */
export async function startFakeSite(): Promise<{ site: SiteUnderTest; fake: FakeInvenio }> {
  const fake = await startFakeInvenio();
  // Lists are late there too, by as much as a row has patience for.
  fake.site.switches.indexLagMs = 20;
  fake.site.switches.checksumLagMs = 20;
  fake.site.switches.grantLagMs = 40;
  const [ada, grace, eve] = [fake.person("ada"), fake.person("grace"), fake.person("eve")];
  const { body } = await grace.client.post("/api/communities", {
    ...{ slug: "probe", metadata: { title: "Probe community" } },
    access: { visibility: "public", review_policy: "closed" },
  });
  const together: SiteUnderTest["together"] = async (method, path, first, second) => {
    const release = fake.site.hold(method, new RegExp(`${path}$`));
    const before = fake.site.calls.length;
    const both = Promise.all([first(), second()]);
    await until(() => fake.site.calls.length === before + 2, "both calls are there");
    release();
    return both;
  };
  const site = {
    ...{ ada: ada.client, grace: grace.client, eve: eve.client, guest: fake.guest, community: body.id, together },
    ids: { ada: ada.id, grace: grace.id, eve: eve.id },
  };
  return { site, fake };
}
