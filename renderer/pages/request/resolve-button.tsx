import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { setResolved } from "../../api-client/requests.ts";
import { userQuery } from "../../api-client/vocabularies.ts";
import { Button } from "../../components/button.tsx";
import { Pill } from "../../components/pill.tsx";
import { useChange } from "../../components/use-change.ts";
import { userName } from "../../format/names.ts";

/** Who settled a comment on a field or file, and the button to settle it or to open it again. */
export function ResolveButton({ request, comment }: { request: ReviewRequest; comment: RequestEvent }) {
  const { t } = useTranslation();
  const by = comment.about?.resolved_by;
  const { data: user } = useQuery({ ...userQuery(by ?? ""), enabled: by !== undefined });
  const change = useChange(() => setResolved(request.id, comment.id, by === undefined));
  return (
    <>
      {by !== undefined && (
        <Pill tone="ok" icon={CircleCheck}>
          {t("request.place.resolved_by", { name: userName(user, t("activity.someone")) })}
        </Pill>
      )}
      {comment.permissions?.can_resolve_comment && (
        <Button small variant="quiet" isPending={change.isPending} onPress={() => change.mutate()}>
          {t(by === undefined ? "request.place.resolve" : "request.place.reopen")}
        </Button>
      )}
    </>
  );
}
