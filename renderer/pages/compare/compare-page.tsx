import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { versionsQuery } from "../../api-client/records.ts";
import { Busy } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { PageFailure } from "../page-failure.tsx";
import styles from "./compare.module.css";
import { Comparison, type Side } from "./comparison.tsx";
import { type ReadSide, useReviewedSide, useSide, useSideName } from "./sides.ts";

const route = getRouteApi("/records/$id/compare/$other");
const isDraftName = (other: string) => /^draft(:|$)/.test(other);

/**
 * Compares two versions, or a version with a draft. `other` is a version's id, `draft:` with a draft's id, or `draft`
 * for the edit of the record itself.
 */
export function ComparePage() {
  const { t } = useTranslation();
  const { id, other } = route.useParams();
  const isDraft = isDraftName(other);
  const before = useSide(id, false);
  const after = useSide(other === "draft" ? id : other.replace("draft:", ""), isDraft);
  const { since } = route.useSearch();
  const reviewed = useReviewedSide(isDraft ? after.side?.body.id : undefined);
  usePageTitle(
    { label: t("place.library"), to: "/me/uploads" },
    { label: before.side?.body.metadata.title ?? id, to: `/records/${id}` },
    { label: t("compare.title") },
  );
  const error = before.error ?? after.error;
  if (error) return <PageFailure error={error} />;
  if (!before.side || !after.side) return <Busy />;
  return (
    <div className={styles.page}>
      <Comparison
        before={(since && reviewed) || before.side}
        after={after.side}
        head={
          <div className={styles.head}>
            <h1>{t("compare.title")}</h1>
            <Versions id={id} other={other} before={before.side} after={after.side} reviewed={reviewed ?? undefined} />
          </div>
        }
      />
    </div>
  );
}

type Read = NonNullable<ReadSide["side"]>;

interface VersionsProps {
  id: string;
  other: string;
  before: Read;
  after: Read;
  /** The draft as the user last reviewed it. */
  reviewed: Side | undefined;
}

/** Chooses the two sides among the versions of the family; the first may be the reviewed draft. */
function Versions({ id, other, before, after, reviewed }: VersionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const nameOf = useSideName();
  const { data } = useQuery(versionsQuery(id));
  const versions = (data?.hits.hits ?? []).map((version) => ({ id: version.id, label: nameOf(version) }));
  const present = { id: isDraftName(other) ? `draft:${after.body.id}` : other, label: after.name };
  const { since } = route.useSearch();
  const show = (next: { id: string; other: string }, search: { since?: "review" } = {}) =>
    void navigate({ to: "/records/$id/compare/$other", params: next, search, replace: true });
  const published = versions.length > 0 ? versions : [{ id, label: before.name }];
  return (
    <div className={styles.choice}>
      <Select
        look="bare"
        label={t("compare.from")}
        value={since && reviewed ? since : id}
        onChange={(next) =>
          next === "review" ? show({ id, other: present.id }, { since: next }) : show({ id: next, other: present.id })
        }
        options={[...(reviewed ? [{ id: "review", label: reviewed.name }] : []), ...published]}
      />
      <Select
        look="bare"
        label={t("compare.to")}
        value={present.id}
        onChange={(next) => show({ id, other: next })}
        options={[present, ...versions.filter((version) => version.id !== present.id)]}
      />
    </div>
  );
}
