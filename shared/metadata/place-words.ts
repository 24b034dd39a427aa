interface Place {
  place?: string | undefined;
  description?: string | undefined;
  geometry?: { type?: string | undefined; coordinates?: unknown } | undefined;
}

/** A place of `metadata.locations` in words, with its position (latitude, longitude in degrees) as far as it is known. */
export function placeWords({ place, description, geometry }: Place): string {
  const isPoint = geometry?.type === "Point" && Array.isArray(geometry.coordinates);
  const [longitude, latitude] = isPoint ? (geometry.coordinates as unknown[]) : [];
  const position = latitude === undefined ? undefined : `${latitude}, ${longitude}`;
  return [place, description, position ?? geometry?.type].filter(Boolean).join(" · ");
}
