import fc from "fast-check";

const entry = (...ids: string[]) => fc.constantFrom(...ids.map((id) => ({ id })));
const anyWords = fc.oneof(
  fc.lorem({ maxCount: 4 }),
  fc.string({ unit: "grapheme", minLength: 3, maxLength: 12 }),
  fc.constantFrom(" Ünïcode ", "a\u0000b\u200bc", "<b>bold</b> & <script>x</script>", "\ud800 lone", "𝔘 🐢 مرحبا"),
);
const words = anyWords.map((text) => `Word ${text}`);
const html = fc.oneof(
  words.map((text) => `<p>${text}</p>`),
  fc.constantFrom("<a href='javascript:x'>a</a> b", "<p onclick=x>&lt;b&gt; &amp;</p>", "<table><td>cell", "x < y > z"),
  words,
);
const dates = fc.constantFrom("2020", "2020-02", "2020-02-29", "2019/2020-01", "/2020", "2020/");
const identifier = fc.constantFrom<object>(
  { identifier: "10.1234/foo" },
  { identifier: "https://doi.org/10.1234/Foo", scheme: "DOI" },
  { identifier: "978-3-16-148410-0" },
  { identifier: "https://example.org/x", scheme: "url" },
  { identifier: "anything", scheme: "other" },
  { identifier: "0378-5955", scheme: "issn" },
);
const agentIdentifier = fc.constantFrom<object>(
  { identifier: "https://orcid.org/0000-0002-1825-0097" },
  { identifier: "https://ror.org/01ggx4157", scheme: "ror" },
  { identifier: "118540238", scheme: "gnd" },
);
const optional = <T extends Record<string, fc.Arbitrary<unknown>>>(
  members: T,
  requiredKeys: (keyof T & string)[] = [],
) => fc.record(members, { requiredKeys });
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 2 });

const person = fc.oneof(
  optional(
    {
      type: fc.constant("personal"),
      family_name: words,
      given_name: words,
      name: words,
      identifiers: few(agentIdentifier),
    },
    ["type", "family_name"],
  ),
  optional(
    { type: fc.constant("organizational"), name: words, family_name: words, identifiers: few(agentIdentifier) },
    ["type", "name"],
  ),
);
const affiliation = fc.oneof(
  words.map((name) => ({ name })),
  fc.constant({ id: "01ggx4157", name: "CERN" }),
);
const agent = optional({ person_or_org: person, role: entry("editor", "other"), affiliations: few(affiliation) }, [
  "person_or_org",
]);
const right = fc.oneof(
  entry("mit", "cc-by-4.0"),
  optional(
    { title: words.map((en) => ({ en })), link: fc.constantFrom("https://example.org", "http://a.example/?q=1") },
    ["title"],
  ),
);
const position = fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 90 }));
const geometry = fc.oneof(
  position.map((coordinates) => ({ type: "Point", coordinates })),
  few(position).map((coordinates) => ({ type: "MultiPoint", coordinates })),
  position.map((corner) => ({ type: "Polygon", coordinates: [[corner, [0, 0], [1, 1], corner]] })),
);
const place = optional({
  geometry,
  place: words,
  description: words,
  identifiers: few(fc.constant({ identifier: "Q42" })),
});
const award = fc.record({
  title: fc.oneof(
    words,
    words.map((en) => ({ en })),
  ),
  number: words,
});

const members = {
  resource_type: entry("image-photo", "dataset"),
  title: words,
  publication_date: dates,
  creators: few(agent),
  contributors: few(agent),
  additional_titles: few(fc.record({ title: words, type: entry("subtitle"), lang: entry("eng") })),
  description: html,
  additional_descriptions: few(fc.record({ description: html, type: entry("abstract") })),
  publisher: words,
  version: words,
  languages: few(entry("eng", "deu", "fra")),
  subjects: few(
    fc.oneof(
      words.map((subject) => ({ subject })),
      entry("ford-1.1"),
    ),
  ),
  dates: few(fc.record({ date: dates, type: entry("created"), description: words })),
  rights: few(right),
  copyright: html,
  identifiers: few(identifier),
  related_identifiers: few(identifier.map((one) => ({ ...one, relation_type: { id: "cites" } }))),
  references: few(words.map((reference) => ({ reference }))),
  sizes: few(words),
  formats: few(words),
  locations: fc.record({ features: few(place) }),
  funding: few(
    optional(
      {
        funder: fc.oneof(
          entry("00k4n6c32"),
          words.map((name) => ({ name })),
        ),
        award,
      },
      ["funder"],
    ),
  ),
};

/** Valid or nearly valid metadata, with short texts and duplicates. */
const likelyMetadata = fc.oneof(
  optional(members, ["resource_type", "title", "publication_date", "creators"]),
  optional(members),
);

/** Any JSON, with keys and texts that are known to break programs. */
const hostileValue = fc.oneof(
  anyWords,
  fc.constantFrom<unknown>(null, "", 0, -1, true, [], {}, [null], [[]], "\u0000", "x".repeat(300), Number.MAX_VALUE),
  fc
    .constantFrom("constructor", "__proto__", "toString")
    .map((key) => JSON.parse(`{"${key}": {"id": "x"}}`) as unknown),
  fc.jsonValue({ maxDepth: 4 }),
);

type Json = Record<string, unknown> | unknown[];
const isContainer = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Replaces, adds or removes one value, selected by a list of numbers. */
function mutate(root: Json, steps: number[], value: unknown): void {
  let target = root as Record<string, unknown>;
  for (const step of steps) {
    const keys = Object.keys(target);
    const key = keys[step % Math.max(keys.length, 1)];
    const next = key === undefined ? undefined : target[key];
    if (!isContainer(next) || step % 5 === 0) {
      if (step % 7 === 0 && key !== undefined) delete target[key];
      else target[step % 3 === 0 || key === undefined ? "colour" : key] = value;
      return;
    }
    target = next as Record<string, unknown>;
  }
}

const nearlyValid = fc
  .tuple(
    likelyMetadata,
    fc.array(fc.tuple(fc.array(fc.nat({ max: 97 }), { minLength: 1, maxLength: 6 }), hostileValue), { maxLength: 3 }),
  )
  .map(([metadata, changes]) => {
    const copy = JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
    for (const [steps, value] of changes) mutate(copy, steps, value);
    return copy as unknown;
  });

/** Metadata that callers may send: likely, nearly valid, and hostile. */
export const anyMetadata: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: likelyMetadata, weight: 3 },
  { arbitrary: nearlyValid, weight: 5 },
  { arbitrary: hostileValue, weight: 1 },
  {
    arbitrary: fc.dictionary(
      fc.constantFrom("title", "creators", "rights", "locations", "funding", "languages"),
      hostileValue,
    ),
    weight: 1,
  },
);
