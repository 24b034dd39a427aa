import { element, parent, xmlFile } from "../../shared/representations/xml.ts";

const longestShortName = 16;

/** How browsers and programs search this repository (OpenSearch 1.1). @param base start of addresses. */
export function openSearchDescription(name: string, base: string): string {
  const url = (type: string, path: string) =>
    element("Url", "", { type, template: `${base}/${path}?q={searchTerms}&page={startPage?}` });
  const description = parent(
    "OpenSearchDescription",
    [
      element("ShortName", name.slice(0, longestShortName).toWellFormed()),
      element("Description", `Records of ${name}`),
      url("text/html", "search"),
      url("application/atom+xml", "search.atom"),
      element("Url", "", {
        type: "application/opensearchdescription+xml",
        rel: "self",
        template: `${base}/opensearch.xml`,
      }),
      element("Image", `${base}/icon.svg`, { type: "image/svg+xml" }),
      element("InputEncoding", "UTF-8"),
    ],
    { xmlns: "http://a9.com/-/spec/opensearch/1.1/" },
  );
  return xmlFile(description ?? { xml: "" });
}
