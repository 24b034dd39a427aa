import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Link2, Quote, UserPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { citationQuery } from "../../api-client/citations.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { ShareDialog } from "../share/share-dialog.tsx";
import { plainCitation } from "./plain-citation.ts";
import own from "./public-view.module.css";
import styles from "./record.module.css";
import { useRecordRights } from "./record-rights.ts";

/** The address by which others find the record: they cannot reach this computer. */
const addressOf = ({ id, pids }: RecordBody, server: string | null | undefined): string =>
  pids.doi ? `https://doi.org/${pids.doi.identifier}` : `${server ?? location.origin}/records/${id}`;

/** Shown once, right after publishing: the DOI, and what to do with the record now. */
export function PublishedCard({ record }: { record: RecordBody }) {
  const { t } = useTranslation();
  const { mayManage } = useRecordRights(record);
  const [isSharing, setSharing] = useState(false);
  const { data: status } = useQuery(syncStatusQuery);
  const address = addressOf(record, status?.server);
  const { data: citation = plainCitation(record) } = useQuery(citationQuery(record.id, "apa"));
  return (
    <section className={own.published} aria-labelledby="published-now">
      <CircleCheck className={own.publishedIcon} size={28} strokeWidth={1.5} aria-hidden="true" />
      <div className={own.publishedWords}>
        <h2 id="published-now">{t("record.now.title")}</h2>
        <a href={address} target="_blank" rel="noopener noreferrer">
          {address}
        </a>
        <p>{citation}</p>
        <div className={styles.actions}>
          <Button variant="primary" icon={Link2} onPress={() => void copyText(address)}>
            {t("record.now.link")}
          </Button>
          <Button icon={Quote} onPress={() => void copyText(citation)}>
            {t("record.now.citation")}
          </Button>
          {mayManage && (
            <Button icon={UserPlus} onPress={() => setSharing(true)}>
              {t("record.now.share")}
            </Button>
          )}
        </div>
      </div>
      {isSharing && <ShareDialog record={record} onClose={() => setSharing(false)} />}
    </section>
  );
}
