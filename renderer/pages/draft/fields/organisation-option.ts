import type { Option } from "../../../components/select.tsx";
import { normaliseRor } from "../creators/ror.ts";

interface Organisation {
  id?: string | undefined;
  name?: string | undefined;
  acronym?: string | undefined;
  country?: string | undefined;
}

/** An organisation of the vocabulary as a suggestion, with what tells it from others of its name. */
export function organisationOption({ id, name, acronym, country }: Organisation): Option[] {
  if (!id) return [];
  const ror = normaliseRor(id);
  const facts = [acronym, country, ror && `ror.org/${ror}`].filter(Boolean);
  return [{ id, label: name ?? id, help: facts.join(" · ") || undefined }];
}
