import { expect, test } from "vitest";
import { folderOf, folderTree } from "../../server/pages/file-rows.ts";
import { wordsIn } from "../../server/pages/words.ts";

test("files beside a large folder are listed before what is inside it (issue 18)", () => {
  const fileAt = (key: string) => ({ key, size: 10, address: `/files/${key}` });
  const inside = Array.from({ length: 300 }, (_one, at) => fileAt(`runs/run ${at}.csv`));
  const tree = folderOf([...inside, fileAt("README.md"), fileAt("overview.csv")]);
  const left = { rows: 50 };
  const { html } = folderTree(wordsIn("en"), tree, left);
  expect(html).toContain("README.md");
  expect(html).toContain("overview.csv");
  expect(html.match(/<li class="file">/g)).toHaveLength(49);
  expect(left.rows).toBe(0);
});
