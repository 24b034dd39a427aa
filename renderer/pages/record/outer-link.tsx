import type { ReactNode } from "react";
import type { RelatedIdentifier } from "../../api-client/record-types.ts";

export const External = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);

export function RelatedLink({ identifier = "", scheme }: Pick<RelatedIdentifier, "identifier" | "scheme">) {
  if (scheme === "doi") return <External href={`https://doi.org/${identifier}`}>{identifier}</External>;
  if (/^https?:\/\//.test(identifier)) return <External href={identifier}>{identifier}</External>;
  return <code>{identifier}</code>;
}
