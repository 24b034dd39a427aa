import { UsageError } from "../../shared/kernel/usage-error.ts";

/** Where a server keeps its bytes: a bucket of an S3 store. */
export interface BucketAddress {
  bucket: string;
  /** Start of all keys: empty, or ending with a slash. */
  prefix: string;
  /** Address of the store; undefined for Amazon's. */
  endpoint: string | undefined;
  region: string;
}

const example = "s3://bucket/prefix?endpoint=https://s3.example.org&region=us-east-1";

/** An address without a prefix's end, and with its parameters in one order: equal ones are equal texts. */
export function writeBucketAddress({ bucket, prefix, endpoint, region }: BucketAddress): string {
  const query = new URLSearchParams({ ...(endpoint !== undefined && { endpoint }), region });
  return `s3://${bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`}?${query}`;
}

/** Whether two addresses name the same bytes; the endpoint of a store may change. */
export const isSamePlace = (one: BucketAddress, other: BucketAddress): boolean =>
  one.bucket === other.bucket && one.prefix === other.prefix;

/** The address of the store, without a path, which all common stores answer at. */
function readEndpoint(text: string | null): string | undefined {
  if (text === null) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(`--blobs must name the store by its address, not '${text}': ${example}.`);
  }
  if (url.username !== "" || url.password !== "") throw keysInAddress();
  return url.href.replace(/\/+$/, "");
}

const keysInAddress = (): UsageError =>
  new UsageError("--blobs holds no keys: they belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");

/** Parses `--blobs`. @throws UsageError */
export function parseBucketAddress(text: string): BucketAddress {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:" || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.host)) {
    throw new UsageError(`--blobs must be an address like ${example}.`);
  }
  if (url.username !== "" || url.password !== "") throw keysInAddress();
  const known = ["endpoint", "region"];
  const other = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (other !== undefined) throw new UsageError(`--blobs has no parameter '${other}': ${example}.`);
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  if (!/^[\w./-]{0,200}$/.test(prefix) || /(^|\/)[.]{0,2}(\/|$)/.test(prefix.length > 0 ? prefix : "x")) {
    throw new UsageError("--blobs: a prefix consists of letters, digits, '-', '_', '.' and single slashes.");
  }
  return {
    bucket: url.host,
    prefix: prefix === "" ? "" : `${prefix}/`,
    endpoint: readEndpoint(url.searchParams.get("endpoint")),
    region: url.searchParams.get("region") ?? "us-east-1",
  };
}
