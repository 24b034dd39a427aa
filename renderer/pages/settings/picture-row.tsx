import { ImageUp, Trash2 } from "lucide-react";
import { FileTrigger } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { maxPictureBytes } from "../../../shared/users/profile.schema.ts";
import { changePicture, removePicture, type Self } from "../../api-client/profile.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { Avatar } from "../../components/avatar.tsx";
import { Button } from "../../components/button.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { useChange } from "../../components/use-change.ts";
import { formatBytes } from "../../format/amounts.ts";
import { userName } from "../../format/names.ts";
import styles from "./settings.module.css";

const types = ["image/jpeg", "image/png", "image/gif", "image/tiff"];

class PictureTooLarge extends Error {}

function send(file: File): Promise<void> {
  if (file.size > maxPictureBytes) throw new PictureTooLarge();
  return changePicture(file);
}

/** The user's picture, with buttons to choose another file and to remove it (app, Missing 11). */
export function PictureRow({ self, isAway }: { self: Self; isAway: boolean }) {
  const { t } = useTranslation();
  const change = useChange(async (file: File) => send(file), { showsErrorHere: true });
  const remove = useChange(removePicture);
  const wordsOf = (error: Error) => {
    const status = error instanceof ApiFailure ? error.status : undefined;
    if (error instanceof PictureTooLarge || status === 413)
      return t("profile.picture_large", { size: formatBytes(maxPictureBytes) });
    return status === 400 || status === 422 ? t("profile.picture_unread") : error.message;
  };
  return (
    <div className={styles.picture}>
      <Avatar name={userName(self, self.id)} user={self} size="profile" />
      <div className={styles.pictureWords}>
        <div className={styles.actions}>
          <FileTrigger acceptedFileTypes={types} onSelect={(files) => files?.[0] && change.mutate(files[0])}>
            <Button icon={ImageUp} isDisabled={isAway} isPending={change.isPending}>
              {t(self.profile.picture ? "profile.picture_other" : "profile.picture_add")}
            </Button>
          </FileTrigger>
          {self.profile.picture && (
            <Button
              icon={Trash2}
              variant="quiet"
              isDisabled={isAway}
              isPending={remove.isPending}
              onPress={() => remove.mutate()}
            >
              {t("profile.picture_remove")}
            </Button>
          )}
        </div>
        <p className={styles.help}>{t("profile.picture_help")}</p>
        {change.error && <InlineNotice tone="danger">{wordsOf(change.error)}</InlineNotice>}
      </div>
    </div>
  );
}
