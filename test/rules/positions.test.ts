import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPosition, positionsBetween } from "../../shared/documents/position.ts";
import { placeInOrder } from "../../shared/documents/reorder.ts";

const isRising = (places: readonly string[]): boolean =>
  places.every((place, index) => index === 0 || place > (places[index - 1] ?? ""));

describe("places in a list", () => {
  test("300,000 items have short places", () => {
    const places = positionsBetween(undefined, undefined, 300_000);
    expect(places).toHaveLength(300_000);
    expect(isRising(places)).toBe(true);
    expect(places.every(isPosition)).toBe(true);
    expect(places.every(({ length }) => length < 20)).toBe(true);
  });

  test("there are as many as are wanted between any two, and after any one", () => {
    const place = fc.stringMatching(/^[0-9A-Za-z]{0,6}[1-9A-Za-z]$/);
    fc.assert(
      fc.property(place, place, fc.nat(40), fc.boolean(), (one, other, count, isOpen) => {
        const [low = "", high] = one < other ? [one, other] : [other, `${one}1`];
        const places = positionsBetween(low, isOpen ? undefined : high, count);
        expect(places).toHaveLength(count);
        expect(isRising([low, ...places, ...(isOpen ? [] : [high])])).toBe(true);
        expect(places.every(isPosition)).toBe(true);
      }),
    );
  });

  test.each([
    ["at the end", 1000, (length: number) => length],
    ["in front", 1000, () => 0],
    ["always behind the first", 1000, () => 1],
    ["always before the last", 1000, (length: number) => length - 1],
  ])(
    "a thousand items put %s one by one, from the last place that there is: no place gets too long",
    (_, times, at) => {
      let places = ["zzy", "zzz"];
      for (let time = 0; time < times; time++) {
        const order: (number | undefined)[] = [...places.keys()];
        order.splice(at(places.length), 0, undefined);
        const placed = placeInOrder(order, places);
        places = order.map((old, index) => placed[index] ?? places[old ?? -1] ?? "");
      }
      expect(isRising(places)).toBe(true);
      expect(places.every(isPosition)).toBe(true);
      expect(Math.max(...places.map(({ length }) => length))).toBeLessThanOrEqual(100);
    },
  );
});
