import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { versionsQuery } from "../../api-client/records.ts";
import { Busy } from "../../components/notice.tsx";
import { Select } from "../../components/select.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { PageFailure } from "../page-failure.tsx";
import styles from "./compare.module.css";
import { Comparison } from "./comparison.tsx";
import { type ReadSide, useSide, useSideName } from "./sides.ts";

const route = getRouteApi("/records/$id/compare/$other");
const isDraftName = (other: string) => /^draft(:|$)/.test(other);

/**
 * What changed from one version to another, or from a version to a draft: `other` is the id of a version, `draft:` with
 * the id of a draft, or `draft` alone for the one that edits the record itself.
 */
export function ComparePage() {
  const { t } = useTranslation();
  const { id, other } = route.useParams();
  const isDraft = isDraftName(other);
  const before = useSide(id, false);
  const after = useSide(other === "draft" ? id : other.replace("draft:", ""), isDraft);
  usePageTitle(
    { label: t("place.library"), to: "/" },
    { label: before.side?.body.metadata.title ?? id, to: `/records/${id}` },
    { label: t("compare.title") },
  );
  const error = before.error ?? after.error;
  if (error) return <PageFailure error={error} />;
  if (!before.side || !after.side) return <Busy />;
  return (
    <div className={styles.page}>
      <Comparison
        before={before.side}
        after={after.side}
        head={
          <div className={styles.head}>
            <h1>{t("compare.title")}</h1>
            <Versions id={id} other={other} before={before.side} after={after.side} />
          </div>
        }
      />
    </div>
  );
}

type Read = NonNullable<ReadSide["side"]>;

/** Which two are compared; each can be exchanged for another version of the family. */
function Versions({ id, other, before, after }: { id: string; other: string; before: Read; after: Read }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const nameOf = useSideName();
  const { data } = useQuery(versionsQuery(id));
  const versions = (data?.hits.hits ?? []).map((version) => ({ id: version.id, label: nameOf(version) }));
  const present = { id: isDraftName(other) ? `draft:${after.body.id}` : other, label: after.name };
  const show = (next: { id: string; other: string }) =>
    void navigate({ to: "/records/$id/compare/$other", params: next, replace: true });
  return (
    <div className={styles.choice}>
      <Select
        look="bare"
        label={t("compare.from")}
        value={id}
        onChange={(next) => show({ id: next, other: present.id })}
        options={versions.length > 0 ? versions : [{ id, label: before.name }]}
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
