import type { HostFeature, HostView } from "../../shared/host/host.schema.ts";

let known: HostView | undefined;

/** Asks the host of this page what it offers, before the first page is drawn. */
export async function startHost(): Promise<void> {
  const response = await fetch("/api/host", { cache: "no-store" }).catch(() => undefined);
  if (response?.ok) known = (await response.json()) as HostView;
}

/** Whether the host offers a feature. Pages ask for what they need, never for the role of the host. */
export const has = (feature: HostFeature): boolean => known?.features.includes(feature) ?? false;

/** Start of the addresses of the repository. */
export const hostAddress = (): string => known?.base_url ?? location.origin;

/** Whether the host answers now. */
export const isReached = (): Promise<boolean> =>
  fetch("/api/host", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
