import { type FieldError, invalid, isObject, type Json, objectOf, Refusal, serverError } from "./call.ts";
import { accessField, filesField, metadataField, pidsField } from "./metadata-fields.ts";
import type { Site } from "./route.ts";
import type { Content } from "./state.ts";
import { unknownEntry } from "./vocabulary-entries.ts";

const missingFiles = "Missing uploaded files. To disable files for this record please mark it as metadata-only.";
const customPrefix = /^(journal|imprint|thesis|meeting|code|dwc|gbif-dwc|openbiodiv|obo):/;

function loadAccess(site: Site, draft: Content, data: Json, errors: FieldError[]): void {
  if (!("access" in data)) return;
  const found: FieldError[] = [];
  const access = objectOf(accessField(() => site.clock.now())(data.access, "access", found));
  // InvenioRDM refuses the whole save unless both parts are present and valid (F5).
  const missing = ["record", "files"].find((name) => access[name] === undefined);
  if (missing !== undefined) throw invalid([{ field: "access", messages: [`'${missing}'`] }]);
  if (access.record === "restricted" && !site.profile.restrictedRecords)
    throw new Refusal(400, "Restricted records are not allowed.");
  errors.push(...found);
  const record = String(access.record);
  const embargo = objectOf(access.embargo);
  draft.access = {
    record,
    files: record === "restricted" ? "restricted" : String(access.files),
    embargo: { active: false, reason: null, ...embargo },
  };
}

function loadCustomFields(site: Site, data: Json, errors: FieldError[]): Json {
  const kept: Json = {};
  for (const [key, value] of Object.entries(objectOf(data.custom_fields))) {
    // Stock ships without custom fields; Zenodo has those of its profile.
    const isZenodos = site.profile.kind === "zenodo" && customPrefix.test(key);
    if (isZenodos || site.switches.ownFields.has(key)) kept[key] = value;
    else errors.push({ field: `custom_fields.${key}`, messages: ["Unknown field."] });
  }
  return kept;
}

function loadPids(draft: Content, data: Json, errors: FieldError[]): void {
  if (!("pids" in data)) return;
  const pids = objectOf(pidsField(data.pids, "pids", errors)) as Record<string, Json>;
  const { doi } = pids;
  if (doi?.provider === "external" && !/^10\.\d+\/\S+$/.test(String(doi.identifier ?? "")))
    errors.push({ field: "pids.doi", messages: ["Invalid DOI identifier."] });
  draft.pids = pids;
}

/** Zenodo replaces a type that it no longer has. InvenioRDM 14 does not know the type (F6). */
function renamedType(site: Site, metadata: Json): Json {
  const type = objectOf(metadata.resource_type).id;
  if (type !== "publication-thesis" || site.profile.kind !== "zenodo") return metadata;
  return { ...metadata, resource_type: { id: "publication-dissertation" } };
}

/** The site's own metadata, and the metadata that every site knows. */
function splitMetadata(site: Site, metadata: Json): { own: Json; common: Json } {
  const isOwn = ([key]: [string, unknown]) => site.switches.ownFields.has(key);
  const all = Object.entries(metadata);
  return {
    own: Object.fromEntries(all.filter(isOwn)),
    common: Object.fromEntries(all.filter((one) => !isOwn(one))),
  };
}

/**
 * Stores a whole body in a draft, as a save does. Wrong values are dropped or kept, and the errors name them.
 * @throws Refusal 400 for a value that makes the server refuse the whole save (F5).
 */
export function loadBody(site: Site, draft: Content, body: unknown): FieldError[] {
  if (body !== undefined && !isObject(body)) throw serverError();
  const data = objectOf(body);
  const errors: FieldError[] = [];
  const { own, common } = splitMetadata(site, objectOf(data.metadata));
  const metadata = renamedType(site, objectOf(metadataField(common, "metadata", errors)));
  const unknown = unknownEntry(metadata, site.profile.version);
  if (unknown !== undefined) throw new Refusal(400, `Invalid value ${unknown}.`);
  const loaded = { ...draft };
  loadAccess(site, loaded, data, errors);
  loaded.custom_fields = loadCustomFields(site, data, errors);
  loadPids(loaded, data, errors);
  const files = objectOf(filesField(objectOf(data.files), "files", errors));
  // An absent value resets it to true.
  loaded.filesEnabled = files.enabled !== false;
  loaded.default_preview = typeof files.default_preview === "string" ? files.default_preview : null;
  loaded.order = Array.isArray(files.order) ? files.order.map(String) : [];
  if (!loaded.filesEnabled && loaded.files.size > 0)
    throw invalid([
      { field: "files.enabled", messages: ["You must first delete all files to set the record to be metadata-only."] },
    ]);
  for (const [key, message] of site.switches.ownRules) {
    if (!(key in metadata)) continue;
    delete metadata[key];
    errors.push({ field: `metadata.${key}`, messages: [message] });
  }
  for (const key of site.switches.droppedFields) delete metadata[key];
  loaded.metadata = { ...metadata, ...own };
  Object.assign(draft, loaded);
  if (draft.filesEnabled && draft.files.size === 0) errors.push({ field: "files.enabled", messages: [missingFiles] });
  return errors;
}

/** The errors that a strict load of the stored content finds. */
export function completeness(site: Site, draft: Content): FieldError[] {
  const errors: FieldError[] = [];
  metadataField(splitMetadata(site, draft.metadata).common, "metadata", errors);
  accessField(() => site.clock.now())(draft.access, "access", errors);
  if (!draft.filesEnabled && !site.profile.metadataOnly)
    errors.push({ field: "files.enabled", messages: ["Metadata-only records are not allowed."] });
  return errors.filter(({ messages }) => !(site.switches.anyScheme && messages.includes("Invalid scheme.")));
}
