import { expect, test } from "vitest";
import { describeNetworkError } from "../../main/sync/transport.ts";
import { isNeverSent } from "../../main/upstreams/invenio/certainty.policy.ts";

test.each([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
])("a certificate that is not trusted is told as such, and nothing was sent: %s (upstreams 2.3)", (code) => {
  const error = Object.assign(new Error("of the connection"), { code });
  expect(describeNetworkError(error)).toBe(`The server's certificate is not trusted (${code}).`);
  expect(isNeverSent(code)).toBe(true);
});

test.each(["ECONNRESET", "EPIPE", "EPROTO", "ETIMEDOUT"])(
  "a connection that broke says nothing of what arrived: %s (upstreams 2.3)",
  (code) => expect(isNeverSent(code)).toBe(false),
);
