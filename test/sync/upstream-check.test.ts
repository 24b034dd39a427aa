import { describe, expect, test } from "vitest";
import { givenFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { givenRecordThere } from "../support/invenio-desk.ts";
import { runCarrel } from "../support/process.ts";

const differing = (stdout: string): string[] =>
  [...stdout.matchAll(/^(F\d+) +DIFFERS (.*)$/gm)].map(([, number, says]) => `${number} ${says}`);

describe("carrel upstream-check (issue 20, step 9; upstreams 6 d)", () => {
  test.each([
    [
      "invenio-14",
      [
        "F15 `application/json` is the old form of records (Zenodo)",
        "F16 a page of 101 is 400 (Zenodo)",
        "F18 ids of drafts are numbers (Zenodo)",
      ],
    ],
    ["zenodo", ["F12 parts of transfer `M` are taken", "F13 Range is ignored: 200 and the whole file"]],
  ] as const)(
    "prints for %s which facts hold, and leaves nothing behind (issue 20, step 9)",
    async (profile, expected) => {
      const fake = await givenFakeInvenio({ profile });
      fake.site.switches.ranges = profile === "zenodo";
      fake.site.switches.parts = profile !== "zenodo";
      const ada = fake.person("ada");
      await givenRecordThere(ada.client, "Mine before");
      const before = [...fake.site.state.drafts.keys()];
      const { code, stdout, stderr } = await runCarrel("upstream-check", "--server", fake.url, "--token", ada.token);
      expect([code, stderr.replace(/^Every account of this computer.*$/m, "").trim()]).toEqual([0, ""]);
      expect(differing(stdout).sort()).toEqual([...expected].sort());
      expect(stdout).toMatch(/^F1 +holds +If-Match/m);
      expect(stdout).toContain("not tried");
      expect([...fake.site.state.drafts.keys()]).toEqual(before);
      expect(fake.site.calls.filter(({ path }) => path.includes("/actions/publish"))).toHaveLength(1);
    },
  );

  test("names what a site does otherwise, and says when its draft could not be deleted (issue 20, step 9)", async () => {
    const fake = await givenFakeInvenio();
    fake.site.switches.me = false;
    fake.site.switches.fault("refused-500", "DELETE", /draft$/);
    const { token } = fake.person("ada");
    const { code, stdout, stderr } = await runCarrel("upstream-check", "--server", fake.url, "--token", token);
    expect(code).toBe(1);
    expect(differing(stdout)).toContain("F14 /api/me names the user of the token");
    expect(stderr).toMatch(/may still be there \(200\)\. Delete it: \/api\/records\/[\w-]+\/draft/);
  });

  test("refuses a dead token, an address without encryption, and zenodo.org itself; --help says all (issue 20, step 9)", async () => {
    const fake = await givenFakeInvenio();
    const refusal = async (server: string) =>
      (await runCarrel("upstream-check", "--server", server, "--token", "t")).stderr;
    expect(await refusal(fake.url)).toContain("does not make a draft with this token: 403");
    expect(await refusal("http://library.example.org")).toContain("https://");
    expect(await refusal("https://zenodo.org")).toContain("sandbox.zenodo.org");
    const { stdout } = await runCarrel("upstream-check", "--help");
    for (const word of ["--server", "--token-file", "Publishes nothing"]) expect(stdout).toContain(word);
  });
});
