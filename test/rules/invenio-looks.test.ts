import { expect, test } from "vitest";
import { isSweepDue } from "../../main/upstreams/invenio/poll.policy.ts";

const hour = 3_600_000_000;

test("all is walked over once a day; a clock that was ahead does not put it off (upstreams 4, U10)", () => {
  const now = 1_000_000 * hour;
  expect(isSweepDue({}, now)).toBe(true);
  expect(isSweepDue({ swept: now - hour }, now)).toBe(false);
  expect(isSweepDue({ swept: now - 25 * hour }, now)).toBe(true);
  expect(isSweepDue({ swept: now + 25 * hour }, now)).toBe(true);
});
