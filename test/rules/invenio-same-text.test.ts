import { expect, test } from "vitest";
import { isSameContent, isSameText } from "../../main/upstreams/invenio/same-text.policy.ts";

test.each([
  ["“Tides”, ‘now’ and „then‟", `"Tides", 'now' and "then"`],
  ["The ﬁeld of ﬄuent ﬂows", "The field of ffluent flows"],
  ["Ｗｉｄｅ　ｆｏｒｍｓ", "Wide forms"],
  ["O\u02bcBrien\ufffc", "O'Brien"],
  ["A\u030angstro\u0308m", "Ångström"],
  ["<p>One &amp; two</p>\r\n", "<div>One & two</div>"],
])("%s is what the site makes of it (upstreams F6)", (typed, stored) => {
  expect(isSameText(typed, stored)).toBe(true);
});

test.each([
  ["m² of land", "m2 of land"],
  ["½ hour", "1/2 hour"],
  ["The field", "The fields"],
])("%s is another text than %s (upstreams U1)", (one, other) => {
  expect(isSameContent([{ title: one }], [{ title: other }])).toBe(false);
});
