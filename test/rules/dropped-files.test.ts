import { describe, expect, test } from "vitest";
import { ownNames } from "../../renderer/pages/draft/files/dropped-files.ts";

const composed = "M\u00fcller.csv";
const decomposed = "Mu\u0308ller.csv";

describe("files that are added together or beside others (issue 17)", () => {
  test.each([
    [
      "two of one name, as from a search over folders",
      ["a.txt", "a.txt", "b.txt"],
      [],
      ["a.txt", "a (2).txt", "b.txt"],
    ],
    ["a free name that is taken", ["a.txt", "a.txt", "a.txt"], ["a (2).txt"], ["a.txt", "a (3).txt", "a (4).txt"]],
    ["a free name that comes later", ["a.txt", "a.txt", "a (2).txt"], [], ["a.txt", "a (2).txt", "a (2) (2).txt"]],
    ["two names that look the same", [composed, decomposed], [], [composed, "M\u00fcller (2).csv"]],
    ["a name that looks like one in the draft", [decomposed], [composed], [composed]],
    ["upper and lower case are two names", ["a.txt", "A.TXT"], ["a.TXT"], ["a.txt", "A.TXT"]],
  ])("%s", (_case, names, existing, expected) => {
    const files = names.map((key) => ({ key, file: new File([], key) }));
    expect(ownNames(files, existing).map(({ key }) => key)).toEqual(expected);
  });
});
