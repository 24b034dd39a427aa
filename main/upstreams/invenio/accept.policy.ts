/** The form of records, drafts, reviews and requests. On Zenodo the plain type is an old form of them. */
const vendorType = "application/vnd.inveniordm.v1+json,application/json;q=0.9";
/** Paths that know the plain type only, or that answer the vendor type with another form. */
const plainPaths =
  /^\/api\/(vocabularies|users|me|languages|affiliations|funders|awards|subjects|names)(\/|\?|$)|\/files(\/|\?|$)/;

/** The media types to ask for, by path. */
export const acceptOf = (path: string): string => (plainPaths.test(path) ? "application/json" : vendorType);
