import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { addComment } from "../../api-client/requests.ts";
import { ShortEditor } from "./short-editor.tsx";

/** Storage place of a reply. */
export const replyPlace = (parent: string) => `reply-${parent}`;

interface ReplyEditorProps {
  request: ReviewRequest;
  /** The comment that the reply belongs to. */
  parent: string;
  onClose: () => void;
}

/** The editor of a reply. */
export function ReplyEditor({ request, parent, onClose }: ReplyEditorProps) {
  const { t } = useTranslation();
  return (
    <ShortEditor
      request={request}
      place={replyPlace(parent)}
      label={t("request.your_reply")}
      sendLabel={t("request.send_reply")}
      send={(draft) => addComment(request.id, draft, parent)}
      onClose={onClose}
    />
  );
}
