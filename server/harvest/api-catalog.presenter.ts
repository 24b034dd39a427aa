const specifications = {
  oai: "https://www.openarchives.org/OAI/openarchivesprotocol.html",
  sitemap: "https://www.sitemaps.org/protocol.html",
  atom: "https://www.rfc-editor.org/info/rfc4287",
  openSearch: "https://github.com/dewitt/opensearch/blob/master/opensearch-1-1-draft-6.md",
  iiif: "https://iiif.io/api/presentation/3.0/",
};

const html = (href: string) => [{ href, type: "text/html" }];

/** The interfaces of the repository as a link set (RFC 9727, FAIRiCat). @param base start of addresses. */
export function apiCatalog(base: string, hasOai: boolean) {
  const oai = `${base}/oai2d`;
  const interfaces = [
    {
      anchor: `${base}/api/records`,
      "service-desc": [{ href: `${base}/api/openapi.json`, type: "application/json" }],
      "service-doc": html(`${base}/api/docs`),
    },
    ...(hasOai
      ? [
          {
            anchor: oai,
            "service-doc": html(specifications.oai),
            "service-meta": [{ href: `${oai}?verb=Identify`, type: "text/xml" }],
          },
        ]
      : []),
    { anchor: `${base}/sitemap.xml`, "service-doc": html(specifications.sitemap) },
    { anchor: `${base}/search.atom`, "service-doc": html(specifications.atom) },
    { anchor: `${base}/opensearch.xml`, "service-doc": html(specifications.openSearch) },
    { anchor: `${base}/api/iiif`, "service-doc": html(specifications.iiif) },
  ];
  const item = interfaces.map(({ anchor }) => ({ href: anchor }));
  return { linkset: [{ anchor: `${base}/.well-known/api-catalog`, item }, ...interfaces] };
}
