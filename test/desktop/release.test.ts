import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { cutChangelog, cutRelease, isNextVersion } from "../../main/packaging/release.ts";
import { repository } from "../support/run.ts";

describe("one command cuts a release (issue 19.6)", () => {
  test("versions follow by semver", () => {
    for (const next of ["0.1.1", "0.2.0", "1.0.0"]) expect(isNextVersion("0.1.0", next), next).toBe(true);
    for (const next of ["0.1.0", "0.1.2", "0.2.1", "1.1.0", "0.0.9", "2.0.0", "0.2", "v0.2.0"])
      expect(isNextVersion("0.1.0", next), next).toBe(false);
  });

  test("what is unreleased gets a version and a day; nothing to release is refused", () => {
    const text = "# Changelog\n\n## Unreleased\n\n- A\n- B\n\n## 0.1.0 (2026-01-01)\n\n- Old\n";
    expect(cutChangelog(text, "0.2.0", "2026-02-03")).toEqual({
      text: "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- A\n- B\n\n## 0.1.0 (2026-01-01)\n\n- Old\n",
      notes: "- A\n- B",
    });
    expect(() => cutChangelog("# Changelog\n\n## Unreleased\n\n## 0.1.0\n", "0.2.0", "")).toThrow("says nothing");
  });

  test("our changelog can be cut", () => {
    const text = readFileSync(join(repository, "CHANGELOG.md"), "utf8");
    expect(cutChangelog(text, "9.9.9", "2026-02-03").notes).toContain("- ");
  });

  test("a release is a commit and a tag; a tree with changes is refused", async () => {
    const folder = mkdtempSync(join(tmpdir(), "carrel-release-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...args: string[]) => {
      const who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
      return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" }).trim();
    };
    const write = (name: string, content: unknown) =>
      writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    git("init", "--quiet");
    git("config", "user.name", "Test");
    git("config", "user.email", "test@example.org");
    write("package.json", { name: "carrel", version: "0.1.0" });
    write("package-lock.json", { version: "0.1.0", packages: { "": { version: "0.1.0" } } });
    write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- News\n");
    const release = { folder, version: "0.2.0", day: "2026-02-03" };
    await expect(cutRelease(release)).rejects.toThrow("has changes");
    git("add", "--all");
    git("commit", "--quiet", "--message", "begin");
    await expect(cutRelease({ ...release, version: "0.3.0" })).rejects.toThrow("0.3.0 does not follow 0.1.0.");
    expect(await cutRelease(release)).toBe("- News");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("show", "v0.2.0:CHANGELOG.md")).toContain("## 0.2.0 (2026-02-03)\n\n- News");
    for (const name of ["package.json", "package-lock.json"])
      expect(JSON.parse(git("show", `v0.2.0:${name}`)).version, name).toBe("0.2.0");
  });
});
