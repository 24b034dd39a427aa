import type { HostFeature, HostView } from "./host.schema.ts";

const shared = ["desk", "presence", "events"] as const satisfies HostFeature[];

/** The features of each host (design, web 5). */
const features: Record<HostView["role"], HostFeature[]> = {
  server: ["public_pages", "sign_in", "sessions", ...shared],
  replica: ["sync", "keeping", "salvage", "local_files", ...shared],
};

export interface HostFacts {
  role: HostView["role"];
  version: string;
  /** Name of the repository. */
  name: string;
  baseUrl: string;
  sendsMail: boolean;
  providers: HostView["sign_in"]["providers"];
  /** The languages of its pages. */
  languages: readonly string[];
}

/** What the app and programs know about a host before they sign in. */
export function presentHost(facts: HostFacts): HostView {
  const { role, version, name, baseUrl, sendsMail, providers, languages } = facts;
  const own = features[role];
  const password = own.includes("sign_in");
  return {
    ...{ role, version, name, base_url: baseUrl, features: own },
    // Without a mail server nobody receives the link that resets a password.
    sign_in: { password, reset: password && sendsMail, providers },
    languages: [...languages],
  };
}
