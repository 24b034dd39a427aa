import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const carberry = {
  person: { name: { "given-names": { value: "Josiah" }, "family-name": { value: "Carberry" } } },
  "activities-summary": {
    employments: {
      "affiliation-group": [
        { summaries: [{ "employment-summary": { organization: { name: "Brown" }, "end-date": null } }] },
        { summaries: [{ "employment-summary": { organization: { name: "Before" }, "end-date": {} } }] },
      ],
    },
  },
};
const organisation = (name: string, country: string) => ({
  names: [{ value: name, types: ["ror_display"] }],
  locations: [{ geonames_details: { country_name: country } }],
});
const kelp = {
  type: "article-journal",
  title: "Kelp",
  DOI: "10.5072/known",
  author: [{ family: "Carberry", given: "Josiah" }],
  "container-title": "Deep-Sea Letters",
};

/** Services on the loopback that know a few identifiers and misbehave for others. */
export async function openLookupServices() {
  const asked: string[] = [];
  const service = createServer((req: IncomingMessage, res: ServerResponse) => {
    const path = decodeURIComponent(req.url ?? "");
    asked.push(path);
    const id = /(10\.5072\/\w+|0000-0002-1825-0097|01ggx4157|05gq02987)/.exec(path)?.[1] ?? "";
    const body = {
      "10.5072/known": kelp,
      "0000-0002-1825-0097": carberry,
      "01ggx4157": organisation("CERN", "Switzerland"),
      "05gq02987": organisation("Brown University", "United States"),
    }[id];
    const leads = { "10.5072/moved": "/doi/10.5072/known", "10.5072/away": "http://example.org/" }[id];
    if (body) res.end(JSON.stringify(body));
    else if (leads) res.writeHead(302, { location: leads }).end();
    else if (id === "10.5072/large") res.end(`["${"x".repeat(2_000_000)}"]`);
    else if (id === "10.5072/broken") res.end("<html>");
    else res.writeHead(404).end();
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const at = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  return {
    at,
    /** The paths that were asked for. */
    asked,
    settings: {
      doi: [`${at}/doi/{id}`],
      orcid: [`${at}/orcid/{id}/record`],
      ror: [`${at}/ror/{id}`],
      private_hosts: ["127.0.0.1"],
    },
    close() {
      service.closeAllConnections();
      service.close();
    },
  };
}
