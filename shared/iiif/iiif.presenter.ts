import { presentService2, presentService3 } from "./image-info.presenter.ts";

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
  /** Absolute URL of the bytes. */
  url: string;
  /** The address of the image in the Image API; absent for a format that the API does not draw. */
  service?: string;
}

const context = "http://iiif.io/api/presentation/2/context.json";
const start = ({ baseUrl, subject }: Pick<IiifSubject, "baseUrl" | "subject">): string =>
  `${baseUrl}/api/iiif/${subject}`;

/** A canvas with one image (records 12). */
export function presentCanvas(about: Pick<IiifSubject, "baseUrl" | "subject">, image: IiifImage) {
  const { key, width, height, mimetype, url, service } = image;
  const id = `${start(about)}/canvas/${encodeURIComponent(key)}`;
  const drawn = service === undefined ? {} : { service: presentService2(service) };
  const resource = { "@id": url, "@type": "dctypes:Image", format: mimetype, width, height, ...drawn };
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

/** The same canvas for Presentation API 3: a page with one painted image. */
function presentCanvas3(about: Pick<IiifSubject, "baseUrl" | "subject">, image: IiifImage) {
  const { key, width, height, mimetype, url, service } = image;
  const id = `${start(about)}/canvas/${encodeURIComponent(key)}`;
  const drawn = service === undefined ? {} : { service: presentService3(service) };
  const body = { id: url, type: "Image", format: mimetype, width, height, ...drawn };
  const painting = { id: `${id}#image`, type: "Annotation", motivation: "painting", body, target: id };
  const items = [{ id: `${id}#page`, type: "AnnotationPage", items: [painting] }];
  return { id, type: "Canvas", label: { none: [key] }, width, height, items };
}

const pageOf = ({ baseUrl, subject }: IiifSubject): string =>
  `${baseUrl}/${subject.replace(/^record:/, "records/").replace(/^draft:/, "uploads/")}`;

/** The manifest of a record or draft, Presentation API 3. It contains its canvases; there are no sequences. */
export const presentManifest3 = (about: IiifSubject, images: IiifImage[]) => ({
  "@context": "http://iiif.io/api/presentation/3/context.json",
  id: `${start(about)}/manifest`,
  type: "Manifest",
  label: { none: [about.title] },
  ...(about.description === "" ? {} : { summary: { none: [about.description] } }),
  metadata: [{ label: { en: ["Publication Date"] }, value: { none: [about.publicationDate] } }],
  homepage: [{ id: pageOf(about), type: "Text", label: { none: [about.title] }, format: "text/html" }],
  items: images.map((image) => presentCanvas3(about, image)),
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
