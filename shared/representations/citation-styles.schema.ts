/** The citation styles that people choose from, by short names that the API knows (records 10). */
export const citationStyles = [
  { id: "apa", label: "APA" },
  { id: "chicago", label: "Chicago" },
  { id: "harvard", label: "Harvard" },
  { id: "ieee", label: "IEEE" },
  { id: "mla", label: "MLA" },
  { id: "nature", label: "Nature" },
  { id: "science", label: "Science" },
  { id: "vancouver", label: "Vancouver" },
] as const;
