import { type PresentedRecord, textOfHtml } from "./presented-record.ts";

/** The locations of a record as a GeoJSON feature collection (RFC 7946); without a geometry it is `null`. */
export const geoJsonOf = ({ metadata, links }: PresentedRecord): Record<string, unknown> => ({
  type: "FeatureCollection",
  features: (metadata.locations?.features ?? []).map(({ geometry, place, description, identifiers }) => ({
    type: "Feature",
    geometry: geometry ?? null,
    properties: {
      record: links?.self_html,
      title: metadata.title,
      place,
      description: description && textOfHtml(description),
      identifiers,
    },
  })),
});
