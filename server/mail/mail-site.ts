import type { Host } from "../../shared/kernel/host.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";

/** What a mail calls this site: the name that the operator gave it, else its host. */
export const mailSite = ({ baseUrl, settings }: Pick<Host, "baseUrl" | "settings">): string =>
  settings.site.name === defaultSettings.site.name ? new URL(baseUrl).host : settings.site.name;
