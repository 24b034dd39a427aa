import { describe, expect, test } from "vitest";
import { droppedFiles, ownNames } from "../../renderer/pages/draft/files/dropped-files.ts";

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
    [
      "a free name for one of the greatest length",
      [`${"a".repeat(251)}.txt`, `${"a".repeat(251)}.txt`],
      [],
      [`${"a".repeat(251)}.txt`, `${"a".repeat(247)} (2).txt`],
    ],
    ["two names that look the same", [composed, decomposed], [], [composed, "M\u00fcller (2).csv"]],
    ["a name that looks like one in the draft", [decomposed], [composed], [composed]],
    ["upper and lower case are two names", ["a.txt", "A.TXT"], ["a.TXT"], ["a.txt", "A.TXT"]],
  ])("%s", (_case, names, existing, expected) => {
    const files = names.map((key) => ({ key, file: new File([], key) }));
    expect(ownNames(files, existing).map(({ key }) => key)).toEqual(expected);
  });
});

/** As a browser gives them: a file that cannot be read calls back with an error. */
const fileEntry = (name: string, isReadable = true) => ({
  ...{ name, isFile: true },
  file: (done: (file: File) => void, failed: (error: Error) => void) =>
    isReadable ? done(new File(["x"], name)) : failed(new DOMException("not read", "NotReadableError")),
});
function folderEntry(name: string, children: object[], isReadable = true) {
  const left = [children, []];
  const readEntries = (done: (entries: object[]) => void, failed: (error: Error) => void) =>
    isReadable ? done(left.shift() ?? []) : failed(new DOMException("not read", "NotReadableError"));
  return { ...{ name, isFile: false }, createReader: () => ({ readEntries }) };
}
const transferOf = (...entries: object[]) =>
  ({
    items: entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => null })),
  }) as unknown as DataTransfer;

test("files and folders of a drop that cannot be read are named, and the others are added in order (issue 17)", async () => {
  const dropped = await droppedFiles(
    transferOf(
      folderEntry("core", [
        fileEntry("a.csv"),
        fileEntry("secret.csv", false),
        folderEntry("closed", [fileEntry("unseen.csv")], false),
        fileEntry("b.csv"),
      ]),
      fileEntry("c.csv"),
    ),
  );
  expect(dropped.files.map(({ key }) => key)).toEqual(["core/a.csv", "core/b.csv", "c.csv"]);
  expect(dropped.unreadable).toEqual(["core/secret.csv", "core/closed"]);
});
