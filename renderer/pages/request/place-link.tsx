import { Link } from "@tanstack/react-router";
import { MapPin } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { useFieldLabel } from "../../components/use-field-label.ts";
import styles from "./place.module.css";
import { addressOfPlace, fieldName, placeOf } from "./place.ts";
import { ResolveButton } from "./resolve-button.tsx";

/** Links a comment to the field or file that it is about, and shows whether the comment is resolved. */
export function PlaceLink({ request, comment }: { request: ReviewRequest; comment: RequestEvent }) {
  const { t } = useTranslation();
  const labelOf = useFieldLabel();
  const about = placeOf(comment);
  if (!about) return null;
  const { tab, hash } = addressOfPlace(about);
  return (
    <div className={styles.place}>
      <MapPin size={13} aria-hidden="true" />
      <Link
        to="/me/requests/$id"
        params={{ id: request.id }}
        search={{ tab }}
        hash={hash}
        className={styles.where ?? ""}
      >
        <span dir="auto">
          {t("request.place.on", { place: "field" in about ? labelOf(fieldName(about.field)) : about.file })}
        </span>
      </Link>
      <span className={styles.push} />
      <ResolveButton request={request} comment={comment} />
    </div>
  );
}
