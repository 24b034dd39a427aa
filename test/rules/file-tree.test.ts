import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FileEntry } from "../../renderer/api-client/record-types.ts";
import {
  entriesOf,
  type FileNode,
  filterTree,
  mayMoveTo,
  namesAfterMove,
  namesAfterRename,
  nodesById,
  orderAfterMove,
  orderByName,
  outermost,
  treeOf,
} from "../../renderer/pages/draft/files/file-tree.ts";

const entry = (key: string, size = 1): FileEntry => ({
  key,
  status: "completed",
  created: "",
  updated: "",
  metadata: null,
  access: { hidden: false },
  size,
  links: { self: "", content: "" },
});
const shape = (nodes: readonly FileNode[]): unknown[] =>
  nodes.map((node) => (node.kind === "folder" ? [node.name, shape(node.children)] : node.name));
const keysOf = (nodes: readonly FileNode[]) => entriesOf(nodes).map(({ key }) => key);
const keys = ["raw/b.txt", "c.txt", "raw/deep/a.txt", "raw/a.txt", "raw"];
const tree = treeOf(keys.map((key, index) => entry(key, index + 1)));
const node = (path: string, nodes = tree): FileNode => {
  const found = [...nodesById(nodes).values()].find((one) => one.path === path);
  if (!found) throw new Error(`There is no ${path}.`);
  return found;
};

describe("the tree of a draft's files (app M25)", () => {
  test("folders stand where their first file does, with the number and size of all files in them", () => {
    expect(shape(tree)).toEqual([["raw", ["b.txt", ["deep", ["a.txt"]], "a.txt"]], "c.txt", "raw"]);
    expect(node("raw/")).toMatchObject({ count: 3, bytes: 8, name: "raw" });
    expect(node("raw/deep/")).toMatchObject({ count: 1, name: "deep" });
  });

  test("nodes of unchanged files and folders stay the same objects", () => {
    const entries = ["raw/a.txt", "raw/deep/b.txt", "other/c.txt"].map((key) => entry(key));
    const before = treeOf(entries);
    const after = treeOf([...entries.slice(0, 2), entry("other/d.txt")], nodesById(before));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test("a filter keeps files by their name and folder, and folders with all that is in them", () => {
    expect(shape(filterTree(tree, "deep"))).toEqual([["raw", [["deep", ["a.txt"]]]]]);
    expect(shape(filterTree(tree, " B.TXT "))).toEqual([["raw", ["b.txt"]]]);
    expect(filterTree(tree, "")).toEqual(tree);
    expect(filterTree(tree, "zz")).toEqual([]);
  });

  test("a folder is renamed by all its files; a file keeps its folder", () => {
    expect(namesAfterRename(node("raw/"), "data")).toEqual([
      { key: "raw/b.txt", new_key: "data/b.txt" },
      { key: "raw/deep/a.txt", new_key: "data/deep/a.txt" },
      { key: "raw/a.txt", new_key: "data/a.txt" },
    ]);
    expect(namesAfterRename(node("raw/a.txt"), "z.txt")).toEqual([{ key: "raw/a.txt", new_key: "raw/z.txt" }]);
    expect(namesAfterRename(node("c.txt"), "c.txt")).toEqual([]);
  });

  test("what moves keeps its own name; a folder takes its files along and does not move into itself", () => {
    const moved = namesAfterMove([node("raw/deep/"), node("raw/deep/a.txt"), node("c.txt")], "data/");
    expect(moved).toEqual([
      { key: "raw/deep/a.txt", new_key: "data/deep/a.txt" },
      { key: "c.txt", new_key: "data/c.txt" },
    ]);
    expect(namesAfterMove([node("raw/deep/")], "")).toEqual([{ key: "raw/deep/a.txt", new_key: "deep/a.txt" }]);
    expect(mayMoveTo([node("raw/")], "raw/deep/")).toBe(false);
    expect(mayMoveTo([node("raw/deep/")], "raw/")).toBe(true);
    expect(outermost([node("raw/"), node("raw/a.txt"), node("raw")])).toEqual([node("raw/"), node("raw")]);
  });

  test("files and folders move before and after others; by name, folders come first", () => {
    expect(orderAfterMove(tree, [node("c.txt")], node("raw/"), "before")).toEqual([
      "c.txt",
      "raw/b.txt",
      "raw/deep/a.txt",
      "raw/a.txt",
      "raw",
    ]);
    expect(orderAfterMove(tree, [node("raw/")], node("c.txt"), "after")[0]).toBe("c.txt");
    expect(orderAfterMove(tree, [node("c.txt")], node("c.txt"), "after")).toEqual(keysOf(tree));
    expect(orderByName(tree)).toEqual(["raw/deep/a.txt", "raw/a.txt", "raw/b.txt", "c.txt", "raw"]);
    expect(orderByName(treeOf(["b10", "b9"].map((key) => entry(key))))).toEqual(["b9", "b10"]);
  });

  test("no file is lost or doubled, however it is arranged", () => {
    const name = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1 }), fc.nat(), fc.nat(), (all, one, other) => {
        const nodes = treeOf(all.map((key) => entry(key)));
        const every = [...nodesById(nodes).values()];
        const [moving, target] = [every[one % every.length], every[other % every.length]];
        if (!moving || !target) return;
        const expected = all.toSorted();
        expect(keysOf(nodes).toSorted()).toEqual(expected);
        expect(orderByName(nodes).toSorted()).toEqual(expected);
        expect(orderAfterMove(nodes, [moving], target, "before").toSorted()).toEqual(expected);
        const names = namesAfterRename(moving, "d");
        expect(new Set(names.map(({ new_key }) => new_key)).size).toBe(names.length);
      }),
    );
  });
});
