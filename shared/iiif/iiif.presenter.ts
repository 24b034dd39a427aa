/** The subject of a manifest: `record:<id>` or `draft:<id>`. */
export interface IiifSubject {
  baseUrl: string;
  subject: string;
  title: string;
  description: string;
  publicationDate: string;
}

/** An image file that becomes a canvas. */
export interface IiifImage {
  key: string;
  mimetype: string;
  width: number;
  height: number;
  /** Absolute URL of its bytes. */
  url: string;
}

const context = "http://iiif.io/api/presentation/2/context.json";
const start = ({ baseUrl, subject }: Pick<IiifSubject, "baseUrl" | "subject">): string =>
  `${baseUrl}/api/iiif/${subject}`;

/** A canvas with one image (records 12). */
export function presentCanvas(about: Pick<IiifSubject, "baseUrl" | "subject">, image: IiifImage) {
  const { key, width, height, mimetype, url } = image;
  const id = `${start(about)}/canvas/${encodeURIComponent(key)}`;
  const resource = { "@id": url, "@type": "dctypes:Image", format: mimetype, width, height };
  return {
    "@context": context,
    "@id": id,
    "@type": "sc:Canvas",
    label: key,
    width,
    height,
    images: [{ "@id": `${id}#image`, "@type": "oa:Annotation", motivation: "sc:painting", resource, on: id }],
  };
}

/** The only sequence of a manifest. */
export const presentSequence = (about: Pick<IiifSubject, "baseUrl" | "subject">, images: IiifImage[]) => ({
  "@context": context,
  "@id": `${start(about)}/sequence/default`,
  "@type": "sc:Sequence",
  label: "Current Page Order",
  viewingDirection: "left-to-right",
  viewingHint: "individuals",
  canvases: images.map((image) => presentCanvas(about, image)),
});

/** The manifest of a record or draft, Presentation API 2 (records 12). */
export const presentManifest = (about: IiifSubject, images: IiifImage[]) => ({
  "@context": context,
  "@id": `${start(about)}/manifest`,
  "@type": "sc:Manifest",
  label: about.title,
  description: about.description,
  metadata: [{ label: "Publication Date", value: about.publicationDate }],
  sequences: [presentSequence(about, images)],
});
