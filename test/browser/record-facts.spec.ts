import { expect, test } from "@playwright/test";
import { Desk } from "./desk.ts";
import { givenSample } from "./samples.ts";
import { openSeat } from "./seats.ts";

const ada = { type: "personal", family_name: "Mohr", given_name: "Ada" };
const more = {
  sizes: ["11 pages"],
  formats: ["application/x-netcdf"],
  locations: {
    features: [
      { place: "Longyearbyen", description: "Pier", geometry: { type: "Point", coordinates: [15.6, 78.2] } },
      { geometry: { type: "Point", coordinates: [0, -4.5] } },
    ],
  },
  contributors: [
    {
      person_or_org: { ...ada, identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }] },
      role: { id: "datacollector" },
      affiliations: [{ name: "Institute of Tides" }],
    },
  ],
  related_identifiers: [
    { identifier: "10.5281/zenodo.7", relation_type: { id: "cites" }, resource_type: { id: "dataset" } },
  ],
};

test("the page of a record shows sizes, formats, places, and all that is known of contributors and related works (records 8; issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const person = await desk.person("eva", "Eva Lund");
  const id = await givenSample(person.server, 0, { isPublished: false });
  const path = `/api/records/${id}/draft`;
  const { metadata } = (await person.server.get(path)).body;
  const saved = await person.server.put(path, { metadata: { ...metadata, ...more } });
  expect(saved.body.errors ?? []).toEqual([]);
  expect((await person.server.post(`${path}/actions/publish`)).status).toBe(202);
  const { page, context, faults } = await openSeat(browser, desk, person, "server", `/me/records/${id}`);
  const details = page.getByRole("region", { name: "Details" });
  for (const words of [
    "11 pages",
    "application/x-netcdf",
    "Longyearbyen · Pier · 78.2, 15.6",
    "-4.5, 0",
    "Mohr, Ada (Data collector) · Institute of Tides",
    "Cites 10.5281/zenodo.7 (Dataset)",
  ])
    await expect(details.getByText(words)).toBeVisible();
  const orcid = details.getByRole("link", { name: "Mohr, Ada" });
  await expect(orcid).toHaveAttribute("href", "https://orcid.org/0000-0002-1825-0097");
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
