import { expect, test } from "vitest";
import { usedRules } from "../../server/pages/used-rules.ts";

const sheet = `
:root{--a:1}.b{x:y;
z:w}.c>.d,.e :is(p,.f){m:n}h1,.g{o:p}
@media(min-width:52rem){.b{q:r}@supports(a:b){.g{s:t}}}@media print{.g{u:v}}.h:not(.i){k:l}@page{w:x}`;

test("a page carries the rules of its style that it uses, and no others (web 13, size)", () => {
  const rules = usedRules(sheet);
  expect(rules("<p>")).toBe(":root{--a:1}h1{o:p}@page{w:x}");
  expect(rules('<p class="b">')).toBe(":root{--a:1}.b{x:y;z:w}h1{o:p}@media(min-width:52rem){.b{q:r}}@page{w:x}");
  expect(rules('<p class="c d">')).toBe(":root{--a:1}.c>.d{m:n}h1{o:p}@page{w:x}");
  expect(rules('<p class="e"><i class="g f">')).toContain(".e :is(p,.f){m:n}h1,.g{o:p}");
  expect(rules('<i class="g">')).toContain("@media(min-width:52rem){@supports(a:b){.g{s:t}}}@media print{.g{u:v}}");
  expect(rules('<i class="h">')).toContain(".h:not(.i){k:l}");
});
