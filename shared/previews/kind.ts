export type Kind =
  | "image"
  /** A picture that browsers do not show; the host draws it. */
  | "drawn"
  | "text"
  | "table"
  | "json"
  | "map"
  | "notebook"
  | "markdown"
  | "pdf"
  | "audio"
  | "video"
  | "none";

const kinds: [Kind, RegExp][] = [
  ["image", /\.(png|jpe?g|gif|webp|bmp|avif)$/i],
  ["drawn", /\.tiff?$/i],
  ["audio", /\.(mp3|ogg|oga|opus|wav|m4a|flac|aac)$/i],
  ["video", /\.(mp4|m4v|webm|ogv|mov)$/i],
  ["pdf", /\.pdf$/i],
  ["table", /\.(csv|tsv)$/i],
  ["map", /\.geojson$/i],
  ["notebook", /\.ipynb$/i],
  ["json", /\.json$/i],
  ["markdown", /\.(md|markdown)$/i],
  [
    "text",
    /\.(txt|jsonl|ya?ml|xml|svg|html?|css|js|mjs|jsx|ts|tsx|py|r|rmd|sh|sql|tex|bib|ris|log|ini|toml|c|h|cpp|hpp|java|go|rs|m|jl|f90|lua|rb|pl|php|swift|kt|cs|diff|patch|cff)$/i,
  ],
  ["text", /(^|\/)(readme|licen[cs]e|changelog|makefile|dockerfile|authors|citation)$/i],
];

export const previewKind = (name: string): Kind => kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? "none";

const languages: [string, RegExp][] = [
  ["python", /\.py$/i],
  ["r", /\.(r|rmd)$/i],
  ["julia", /\.jl$/i],
  ["matlab", /\.m$/i],
  ["fortran", /\.f90$/i],
  ["javascript", /\.(js|mjs|jsx)$/i],
  ["typescript", /\.tsx?$/i],
  ["json", /\.(json|jsonl|geojson|ipynb)$/i],
  ["yaml", /\.(ya?ml|cff)$/i],
  ["xml", /\.(xml|svg|html?)$/i],
  ["css", /\.css$/i],
  ["bash", /\.sh$/i],
  ["sql", /\.sql$/i],
  ["latex", /\.(tex|bib)$/i],
  ["ini", /\.(ini|toml)$/i],
  ["c", /\.[ch]$/i],
  ["cpp", /\.[ch]pp$/i],
  ["java", /\.java$/i],
  ["go", /\.go$/i],
  ["rust", /\.rs$/i],
  ["lua", /\.lua$/i],
  ["ruby", /\.rb$/i],
  ["perl", /\.pl$/i],
  ["php", /\.php$/i],
  ["swift", /\.swift$/i],
  ["kotlin", /\.kt$/i],
  ["csharp", /\.cs$/i],
  ["diff", /\.(diff|patch)$/i],
  ["makefile", /(^|\/)makefile$/i],
];

/** The programming language of a file; undefined: it is shown without colours. */
export const languageOf = (name: string): string | undefined =>
  languages.find(([, pattern]) => pattern.test(name))?.[0];
