import { expect, test } from "vitest";
import { creatorOf, localDay, metadataOf } from "../../renderer/pages/draft/new-draft-content.ts";

const licence = { id: "cc-by-4.0" };
const all = { hasDate: true, hasMe: true, hasLicence: true, hasPublisher: true, licence };
const known = {
  today: "2026-11-24",
  me: { person_or_org: { type: "personal" as const, family_name: "Hopper" } },
  publisher: "Institute of Marine Sciences",
};

test("a new draft begins with date, user, licence and publisher (app M26)", () => {
  expect(metadataOf(all, known)).toEqual({
    publication_date: "2026-11-24",
    creators: [known.me],
    rights: [licence],
    publisher: "Institute of Marine Sciences",
  });
});

test("a default that is off or not known is left out (app M26)", () => {
  const off = { ...all, hasDate: false, hasLicence: false };
  expect(metadataOf(off, { ...known, me: null, publisher: undefined })).toEqual({});
});

test("the day of a new draft is that of the user's own clock (app M26)", () => {
  expect(localDay(new Date(2026, 0, 2, 0, 5))).toBe("2026-01-02");
  expect(localDay(new Date(2026, 11, 31, 23, 55))).toBe("2026-12-31");
});

test("a profile becomes a creator with ORCID and affiliations (app M26)", () => {
  const orcid = "https://orcid.org/0000-0002-1825-0097";
  expect(creatorOf({ full_name: "Karin Lindqvist", affiliations: "CERN; University of Kiel", orcid })).toEqual({
    person_or_org: {
      type: "personal",
      family_name: "Lindqvist",
      given_name: "Karin",
      identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
    },
    affiliations: [{ name: "CERN" }, { name: "University of Kiel" }],
  });
  expect(creatorOf({ full_name: "", affiliations: "CERN" })).toBeUndefined();
  expect(creatorOf({ full_name: "Yuki (night shift); DROP", affiliations: "", orcid: "0000-0000" })).toMatchObject({
    person_or_org: { type: "personal" },
  });
});
