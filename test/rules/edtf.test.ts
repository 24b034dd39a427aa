import { describe, expect, test } from "vitest";
import { dateInterval } from "../../shared/metadata/edtf.schema.ts";

const publicationDate = (text: string) => dateInterval(text, { mayHaveTime: false });

describe("dates (records 8.1)", () => {
  test.each([
    ["2020", "2020-01-01", "2020-12-31"],
    ["2020-02", "2020-02-01", "2020-02-29"],
    ["2021-02", "2021-02-01", "2021-02-28"],
    ["2020-06-01", "2020-06-01", "2020-06-01"],
    ["2019/2020-03", "2019-01-01", "2020-03-31"],
    ["2020-03/2020", "2020-03-01", "2020-12-31"],
    ["2020/2020", "2020-01-01", "2020-12-31"],
    ["/2020-06", undefined, "2020-06-30"],
    ["2020-06/", "2020-06-01", undefined],
  ])("accepted: %s", (text, lo, hi) => {
    expect(publicationDate(text)).toEqual({ lo, hi });
  });

  test.each([
    "",
    " 2020",
    "2020-02-30",
    "2019-02-29",
    "2020-02-31",
    "2020-13",
    "2020-00",
    "2020-06-00",
    "202",
    "20200",
    "2020-6-1",
    "2021/2020",
    "2020-05-02/2020-05-01",
    "/",
    "2020/2021/2022",
    "2020-06-01T10:00:00Z",
    "soon",
    "2020-01-01\n",
    "../2020",
  ])("refused: %j", (text) => {
    expect(publicationDate(text)).toBeUndefined();
  });

  test("date-times are allowed in metadata.dates", () => {
    expect(dateInterval("2020-06-01T10:00:00Z")).toEqual({ lo: "2020-06-01", hi: "2020-06-01" });
    expect(dateInterval("2020-06-01T10:00:00Z/2020-06-01T11:00:00Z")).toBeDefined();
    expect(dateInterval("2020-06-01T12:00:00Z/2020-06-01T11:00:00Z")).toBeUndefined();
    expect(dateInterval("2020-06-01T25:00:00Z")).toBeUndefined();
  });
});
