import type { Router } from "express";
import type { Services } from "../../shared/api.ts";
import { answerText } from "../../shared/kernel/answer.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import { type PresentedRecord, presented } from "../../shared/representations/presented-record.ts";
import { recordTypes, representationOf } from "../../shared/representations/representations.ts";
import { element, parent, xmlFile } from "../../shared/representations/xml.ts";
import { answerPublic } from "../discovery/public-answer.ts";

/** Names of formats that reference managers ask for, most telling first. */
const formats = [
  { name: "ris", type: "application/x-research-info-systems" },
  { name: "bibtex", type: "application/x-bibtex" },
  { name: "csl", type: "application/vnd.citationstyles.csl+json" },
  { name: "oai_dc", type: "application/x-dc+xml" },
  { name: "marcxml", type: "application/marcxml+xml" },
].filter(({ type }) => recordTypes.includes(type));

const formatList = (id?: string): string =>
  xmlFile(
    parent(
      "formats",
      formats.map(({ name, type }) => element("format", "", { name, type })),
      { id },
    ) ?? { xml: "" },
  );

/** `/unapi` (unAPI 1): the formats, those of a record, and a public record in one of them. */
export function unapiRoutes({ host, services }: { host: Host; services: Services }): Router {
  const router = routesAbout("host");
  const { db } = host;

  async function recordOf(id: string): Promise<PresentedRecord> {
    const { record, family } = await services.records.require(db, anonymous, id);
    return presented(await services.bodies.ofRecord(db, record, family));
  }

  resource(router, "/unapi", {
    GET: {
      isOpen: true,
      produces: [],
      async handle(req, res) {
        const { id, format: name } = req.query;
        if (typeof id !== "string") return answerPublic(req, res, "application/xml; charset=utf-8", formatList());
        const record = await recordOf(id);
        if (typeof name !== "string")
          return answerText(req, res, 300, "application/xml; charset=utf-8", formatList(id));
        const format = formats.find((one) => one.name === name);
        if (!format) throw new Failure("not_acceptable", `The format '${name}' is not offered.`);
        const { sentAs = format.type, render } = representationOf(format.type);
        await answerPublic(req, res, sentAs, render(record, { locale: "en", style: "apa" }));
      },
    },
  });
  return router;
}
