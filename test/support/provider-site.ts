import { writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { type Api, startApi } from "./api.ts";
import type { FormBrowser } from "./browser-forms.ts";
import { clientSecret, openIdentityProvider, type ProviderAccount } from "./identity-provider.ts";
import { openMailbox } from "./mailbox.ts";

export const password = "a horse of many stables";
export const grace = { sub: "g1", name: "Grace Hopper", email: "grace@uni.example", email_verified: true };

type Provider = Awaited<ReturnType<typeof openIdentityProvider>>;

export interface Site {
  api: Api;
  provider: Provider;
  box: Awaited<ReturnType<typeof openMailbox>>;
}

/** A server with one provider, and users with passwords. */
export async function startSite(change: object = {}, account: ProviderAccount = grace): Promise<Site> {
  const provider = await openIdentityProvider(account);
  onTestFinished(provider.close);
  const box = await openMailbox();
  const secret = join(await mkdtemp(join(tmpdir(), "carrel-secret-")), "secret");
  writeFileSync(secret, `${clientSecret}\n`);
  const uni = { id: "uni", label: "Example University", issuer: provider.issuer, client_id: "carrel" };
  const sign_in = settingsSchema.shape.sign_in.parse({
    providers: [
      { ...uni, client_secret: { file: secret }, ...change },
      { ...uni, id: "other", label: "Other", client_secret: { file: secret } },
    ],
  });
  const api = await startApi("server", { settings: { sign_in, smtp: box.smtp } });
  provider.serve(`${api.server.url}/sign-in/uni/callback`, `${api.server.url}/sign-in/other/callback`);
  for (const name of ["ada", "bob"]) {
    await api.server.services.signIn.resetPassword(await api.idOf(name), password);
  }
  return { api, provider, box };
}

export const pathOf = (address: string | null | undefined): string => {
  const { pathname, search } = new URL(address ?? "", "http://nowhere");
  return pathname + search;
};
export const textOf = (page: { text: string }) => page.text.replace(/<style>.*<\/style>/s, "");
export const titleOf = (page: { text: string }): string => /<h1>([^<]*)/.exec(page.text)?.[1] ?? "";
/** What a form carries along. */
export const fieldsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, ...pair]) => pair));
export const linkIn = (text: string | undefined): string => pathOf(/https?:\S+/.exec(text ?? "")?.[0]);

/** To the provider and back; not yet further. @returns the path of the callback. */
export async function travel(
  { provider }: Site,
  browser: FormBrowser,
  start = "/sign-in/uni",
  change = (url: URL) => url,
) {
  const begun = await browser.open(start);
  expect(begun.status).toBe(303);
  return pathOf(await provider.visit(change(new URL(begun.headers.get("location") ?? "")).href));
}

/** To the provider, back, and where the callback leads. */
export async function arrive(site: Site, browser: FormBrowser, start?: string) {
  const back = await browser.open(await travel(site, browser, start));
  return { back, to: back.headers.get("location") };
}

export async function whoIs({ api }: Site, browser: FormBrowser): Promise<string | undefined> {
  return (await api.anonymous.get("/api/me", { headers: browser.csrf })).body.username;
}

export async function link(site: Site, browser: FormBrowser, account: string): Promise<void> {
  const { to } = await arrive(site, browser);
  expect(to).toBe("/sign-in/link");
  const sent = await browser.send("/sign-in/link", { step: "password", account, password });
  expect(sent.status).toBe(303);
}
