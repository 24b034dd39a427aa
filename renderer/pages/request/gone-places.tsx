import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { CommentAbout } from "../../../shared/comments/about.schema.ts";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { placeCommentsQuery } from "../../api-client/requests.ts";
import { useFieldLabel } from "../../components/use-field-label.ts";
import styles from "./place.module.css";
import { fieldName, isSamePlace, nameOf, placeOf } from "./place.ts";
import { PlaceComments } from "./place-comments.tsx";
import { useTargetPlace } from "./use-target-place.ts";

interface GonePlacesProps {
  request: ReviewRequest;
  isGone: (about: CommentAbout) => boolean;
}

/** The places that the comments are about, each once. */
const placesIn = (comments: readonly RequestEvent[]): CommentAbout[] =>
  comments
    .flatMap((comment) => placeOf(comment) ?? [])
    .filter((about, index, all) => all.findIndex((one) => isSamePlace(one, about)) === index);

/** The open comments on fields and files that are not there any more, and those that the address leads to. */
export function GonePlaces({ request, isGone }: GonePlacesProps) {
  const { t } = useTranslation();
  const labelOf = useFieldLabel();
  const { data = [] } = useQuery(placeCommentsQuery(request.id));
  const target = useTargetPlace();
  const open = placesIn(data.filter(({ about }) => about?.resolved_by === undefined));
  const wanted = (about: CommentAbout) => nameOf(about) === target || open.some((one) => isSamePlace(one, about));
  return placesIn(data)
    .filter((about) => isGone(about) && wanted(about))
    .map((about) => {
      const label = "field" in about ? labelOf(fieldName(about.field)) : about.file;
      return (
        <section key={nameOf(about)} className={styles.gone} aria-label={label}>
          <p dir="auto">
            {t("field" in about ? "request.place.gone_field" : "request.place.gone_file", { place: label })}
          </p>
          <PlaceComments request={request} maySpeak={false} about={about} label={label} />
        </section>
      );
    });
}
