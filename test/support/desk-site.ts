import { onTestFinished } from "vitest";
import type { SiteClock } from "./fake-invenio/clock.ts";
import { givenFakeInvenio } from "./fake-invenio/fake-invenio.ts";
import type { ProfileName } from "./fake-invenio/profile.ts";
import { FakeSite, type Logged } from "./fake-invenio/site.ts";
import type { Switches } from "./fake-invenio/switches.ts";
import type { HttpClient } from "./http-client.ts";
import { RealSite } from "./invenio/real-site.ts";
import { readSiteFile, siteFileName } from "./invenio/site-file.ts";

/** A stock InvenioRDM that a replica connects to: the fake, or a real one behind a proxy. */
export interface DeskSite {
  url: string;
  site: {
    calls: Logged[];
    switches: Pick<Switches, "fault" | "clearFaults">;
    clock: Pick<SiteClock, "advance">;
    /** The token is dead from now on. */
    revoke(token: string): void | Promise<void>;
  };
  /** From now on lists show everything that was written. */
  listed(): Promise<void>;
  person(name: string): { id: string; username: string; email: string; token: string; client: HttpClient };
  stop(): Promise<void>;
}

/** Whether the rows run on a real server, which `npm run test:invenio` names. */
export const isReal = siteFileName !== undefined;

/** Where the clock of the site cannot be moved, what waits two minutes by that clock takes them. */
export const settleMs = isReal ? 170_000 : 60_000;

/** Kinds of sites that the rows run on. The real server is of one kind. */
export const deskProfiles: readonly ProfileName[] = isReal ? ["invenio-14"] : ["invenio-13", "invenio-14", "zenodo"];

/** Skips a row on the real server, which says why. */
export function needsFake({ skip }: { skip(note: string): never }, what: string): void {
  if (isReal) skip(`the real server has no switch for this: ${what}`);
}

/** The fake of a row that needs its switches or its memory. */
export function fakeOf({ there }: { there: DeskSite }): FakeSite {
  if (there.site instanceof FakeSite) return there.site;
  throw new Error("this row needs the fake");
}

/** A site, stopped at the end of the test. */
export async function givenSite(profile: ProfileName = "invenio-14"): Promise<DeskSite> {
  if (siteFileName === undefined) return { ...(await givenFakeInvenio({ profile })), listed: async () => {} };
  const real = new RealSite(readSiteFile(siteFileName));
  await real.listen();
  onTestFinished(() => real.stop());
  return {
    ...{ url: real.url, site: real, person: (name) => real.person(name) },
    ...{ listed: () => real.listed(), stop: () => real.stop() },
  };
}
