import { z } from "zod";
import { collectionSlug, collectionText } from "../collections/collection.schema.ts";
import { type Language, spokenLanguages } from "../kernel/languages.schema.ts";
import { lookupSettings } from "../lookup/lookup.schema.ts";
import { customFieldSets } from "../metadata/custom-field-sets.schema.ts";
import { customFieldDeclaration } from "../metadata/custom-fields.schema.ts";
import { signInSettings } from "../sign-in/sign-in-settings.schema.ts";
import { contrastOf } from "./colour-contrast.ts";

/** A proxy's address or network; one that holds every address would let every client name its own. */
const proxyNetwork = z
  .union([z.enum(["loopback", "linklocal", "uniquelocal"]), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
    error: "an address, a network such as 10.0.0.0/8, loopback, linklocal or uniquelocal is expected",
  })
  .refine((text) => !text.endsWith("/0"), "every address would be trusted");

/** The contrast of text with its ground that readers need (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

/** A colour that can be read on these grounds: as a link on the page, and behind the text of a button. */
const accent = (...grounds: string[]) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "a colour such as #00648b is expected")
    .superRefine((colour, context) => {
      if (!/^#[0-9a-f]{6}$/i.test(colour)) return;
      const least = Math.min(...grounds.map((ground) => contrastOf(colour, ground)));
      if (least >= minContrast) return;
      const text = `${colour} has a contrast of ${least.toFixed(1)} with the page; it must be at least ${minContrast}`;
      context.addIssue({ code: "custom", message: text });
    });

/** What an operator may set in the configuration file; every default is the contract's. */
export const settingsSchema = z.strictObject({
  /** Prefix of the service's own DOIs (records 5). */
  doi_prefix: z
    .string()
    .regex(/^10\.[0-9]{4,9}(\.[0-9]+)*$/, "the prefix of DOIs such as 10.5072 is expected, without a slash")
    .default("10.5072"),
  doi_required: z.boolean().default(false),
  /**
   * When a public record gets a DOI of the service: with each publication, or only if one was reserved. Unset:
   * `on_publish` with an account at DataCite, else `on_request`.
   */
  doi_mint: z.enum(["on_publish", "on_request"]).optional(),
  /** Files per record (records 6.3). */
  max_files: z.int().positive().default(100),
  max_file_bytes: z.int().positive().default(50_000_000_000),
  max_record_bytes: z.int().positive().default(50_000_000_000),
  /** Bytes of all files of one person: of records and drafts that they own, unfinished uploads, attachments. */
  user_quota_bytes: z.int().positive().default(200_000_000_000),
  /** Where the server writes backups, and the schedule until an administrator chooses another one (server/backups). */
  backup: z
    .strictObject({
      /** A folder, best on another disk; `backups` in the data folder by default. */
      folder: z.string().min(1).optional(),
      every_hours: z.int().min(1).max(8760).optional(),
      keep: z.int().min(1).max(100).default(7),
    })
    .prefault({}),
  /** For how many days the audit log keeps its entries. */
  audit_retention_days: z.int().positive().max(36_500).default(365),
  /** Entries and directories of one container listing (records 11). */
  container_listing_limit: z.int().positive().default(1000),
  container_member_limit: z.int().positive().default(1_000_000),
  /** Days in which a published record may still be restricted (records 7.1). */
  restrict_within_days: z.int().nonnegative().default(30),
  /** The operator's own fields of records, besides those of the sets (records 8.4). */
  custom_fields: z.array(customFieldDeclaration).default([]),
  custom_field_sets: customFieldSets,
  cors_origins: z.array(z.url()).default([]),
  /**
   * Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: how many stand before the server, where clients
   * reach it through them alone, or their addresses. Without it those headers are ignored.
   */
  trust_proxy: z
    .union([z.int().min(1).max(10), z.array(proxyNetwork).min(1)], {
      error: "a number of proxies from 1 to 10, or a list of addresses and networks is expected",
    })
    .optional(),
  /** Calls in a minute of one address without credentials, and of one person; without it there is no limit. */
  rate_limit: z.strictObject({ guest_per_minute: z.int().positive(), user_per_minute: z.int().positive() }).optional(),
  /** Whether pages, feeds and harvesting have a cost for each address (web 10). */
  limits: z.strictObject({ pages: z.boolean().default(true) }).prefault({}),
  /** The account of this repository at DataCite; without it its DOIs are minted and not registered (server/doi). */
  datacite: z
    .strictObject({
      url: z.url().default("https://api.datacite.org"),
      repository_id: z.string().min(1),
      password: z.string().min(1),
    })
    .optional(),
  /** Links of files as paths, or absolute for clients that cannot join them (interoperability 5). */
  links: z.strictObject({ files: z.enum(["path", "absolute"]).default("path") }).prefault({}),
  /** Times of records, files and requests: `YYYY-MM-DD hh:mm:ss.ffffff`, or ISO 8601 with `+00:00` (interoperability 34). */
  timestamps: z.enum(["plain", "iso"]).default("plain"),
  /** The server that sends mail, and the sender. Without it no mail is sent. */
  smtp: z
    .strictObject({
      url: z
        .string()
        .regex(/^smtps?:\/\/[^/]/i, "an address such as smtp://user:password@mail.example.org:587 is expected"),
      from: z.string().regex(/@/, "an e-mail address is expected"),
    })
    .optional(),
  sign_in: signInSettings,
  /** The repository, as its public pages and harvesters name it. */
  site: z
    .strictObject({
      name: z.string().trim().min(1).max(200).default("Carrel"),
      /** Address of the administrator. OAI-PMH is off without it, because the protocol requires one. */
      contact: z.email().optional(),
      /** Languages of the pages; the first one is the default. */
      languages: z.array(z.enum(spokenLanguages)).min(1).optional(),
      /** Path of an SVG. */
      mark: z.string().min(1).optional(),
      /** Colour of links and buttons. */
      accent: z.strictObject({ light: accent("#f8fafc", "#ffffff"), dark: accent("#0f1318", "#09131a") }).optional(),
      /** Folder with the operator's pages in Markdown. */
      pages: z.string().min(1).optional(),
    })
    .prefault({}),
  /** Stored queries with a page, a feed and a set of OAI-PMH. */
  collections: z
    .array(z.strictObject({ slug: collectionSlug, ...collectionText }))
    .max(1000)
    .refine((all) => new Set(all.map(({ slug }) => slug)).size === all.length, "two collections have the same slug")
    .default([]),
  /**
   * A second domain that leads to this server. Deposited HTML and SVG are shown as themselves from there, and as text
   * without it. It must not be a subdomain of the first one, nor the other way round, so that no cookie is shared.
   */
  content_url: z
    .url()
    .refine(
      (url) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(url),
      "an https address is expected",
    )
    .optional(),
  /** Services that know DOIs, people and organisations (shared/lookup). */
  lookup: lookupSettings,
  oai: z
    .strictObject({
      /** Domain name in the identifiers of OAI-PMH; by default the host name of the server's address. */
      namespace: z
        .string()
        .regex(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/i, "a domain name such as data.example.org is expected")
        .optional(),
    })
    .prefault({}),
});

export type Settings = z.infer<typeof settingsSchema>;

declare module "../kernel/settings.ts" {
  interface Settings extends z.infer<typeof settingsSchema> {}
}

export const siteLanguages = ({ site }: Pick<Settings, "site">): readonly Language[] =>
  site.languages ?? spokenLanguages;

/** What drafts and files are judged by; replicas learn it from their server, so that both judge alike. */
export const sharedSettingsSchema = settingsSchema.omit({
  audit_retention_days: true,
  backup: true,
  collections: true,
  content_url: true,
  cors_origins: true,
  datacite: true,
  limits: true,
  links: true,
  lookup: true,
  oai: true,
  rate_limit: true,
  sign_in: true,
  site: true,
  smtp: true,
  timestamps: true,
  trust_proxy: true,
  user_quota_bytes: true,
});

/** Whether JSON bodies have the form that the interface document shows. */
export const isUsualForm = ({ links, timestamps }: Settings): boolean =>
  links.files === "path" && timestamps === "plain";

/** `doi_mint` with its default. */
export const doiMint = ({ doi_required, doi_mint, datacite }: Settings): "on_publish" | "on_request" => {
  if (doi_required) return "on_publish";
  return doi_mint ?? (datacite ? "on_publish" : "on_request");
};

/** The settings that replicas get. They get the resolved `doi_mint` instead of the account at DataCite. */
export const sharedSettings = (settings: Settings) =>
  sharedSettingsSchema.strip().parse({ ...settings, doi_mint: doiMint(settings) });

export const defaultSettings: Settings = settingsSchema.parse({});
