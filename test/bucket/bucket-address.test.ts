import { describe, expect, test } from "vitest";
import { isSamePlace, parseBucketAddress, writeBucketAddress } from "../../server/s3/bucket-address.ts";

const endpoint = "https://s3.example.org";

describe("the address of a bucket (scale 9)", () => {
  test.each([
    [
      `s3://files/carrel/one?endpoint=${endpoint}/&region=eu-1`,
      { bucket: "files", prefix: "carrel/one/", endpoint, region: "eu-1" },
    ],
    ["s3://files", { bucket: "files", prefix: "", endpoint: undefined, region: "us-east-1" }],
    ["s3://files/?region=eu-1", { bucket: "files", prefix: "", endpoint: undefined, region: "eu-1" }],
  ])("%s", (text, address) => {
    expect(parseBucketAddress(text)).toEqual(address);
    expect(parseBucketAddress(writeBucketAddress(address))).toEqual(address);
  });

  test.each([
    ["https://files.example.org", "must be an address like s3://"],
    ["s3://", "must be an address like s3://"],
    ["s3://Files", "must be an address like s3://"],
    ["s3://key:secret@files", "holds no keys"],
    [`s3://files?endpoint=https://key:secret@s3.example.org`, "holds no keys"],
    ["s3://files?endpoint=s3.example.org", "name the store by its address"],
    ["s3://files?endpoint=file:///etc", "name the store by its address"],
    ["s3://files?secret=x", "has no parameter 'secret'"],
    ["s3://files/a//b", "single slashes"],
    ["s3://files/a%20b", "single slashes"],
  ])("%s is refused", (text, words) => {
    expect(() => parseBucketAddress(text)).toThrow(words);
    // A message on the console shows no secret.
    expect(() => parseBucketAddress(text)).not.toThrow("key:secret");
  });

  test("another endpoint of a store is the same place, another prefix is not", () => {
    const one = parseBucketAddress(`s3://files/a?endpoint=${endpoint}`);
    expect(isSamePlace(one, parseBucketAddress("s3://files/a?endpoint=http://10.0.0.1:9000&region=eu-1"))).toBe(true);
    expect(isSamePlace(one, parseBucketAddress(`s3://files/b?endpoint=${endpoint}`))).toBe(false);
  });
});
