import type { AccessService } from "../access/access.service.ts";
import type { AccessLinkService } from "../access/access-link.service.ts";
import type { GrantService } from "../access/grant.service.ts";
import { accessDecisions } from "../access-requests/access-decision.service.ts";
import { accessRequestService } from "../access-requests/access-request.service.ts";
import type { StorageQuotaService } from "../blobs/storage-quota.service.ts";
import { type AttachmentParts, attachmentService } from "../comments/attachment.service.ts";
import { commentService } from "../comments/comment.service.ts";
import { resolutionService } from "../comments/comment-resolution.service.ts";
import { timelineService } from "../comments/timeline.service.ts";
import type { PublishService } from "../drafts/publish.service.ts";
import type { GroupService } from "../groups/group.service.ts";
import { invalid } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { notificationService } from "../notifications/notification.service.ts";
import type { RecordService } from "../records/record.service.ts";
import { recordRequestService } from "../requests/record-request.service.ts";
import { requestService } from "../requests/request.service.ts";
import { type DraftPublishing, requestActionService } from "../requests/request-action.service.ts";
import { requestChangeService } from "../requests/request-change.service.ts";
import { reviewService } from "../requests/review.service.ts";
import { receiverCheck } from "../requests/review-input.service.ts";
import { reviewerService } from "../requests/reviewer.service.ts";
import type { UserService } from "../users/user.service.ts";

export interface ReviewServicesNeeds {
  host: Host;
  access: AccessService;
  users: UserService;
  groups: GroupService;
  records: RecordService;
  publishing: PublishService;
  quota: StorageQuotaService;
  links: AccessLinkService;
  grants: GrantService;
  findBytes: AttachmentParts["findBytes"];
}

/** Requests, their conversations and what they tell people, wired. */
export function createReviewServices(needs: ReviewServicesNeeds) {
  const { host, access, users, groups, records, publishing, quota, links, grants, findBytes } = needs;
  const drafts: DraftPublishing = {
    async assertPublishable(tx, draftId, now) {
      const problems = await publishing.problemsOf(tx, await records.findWholeDraft(tx, draftId), now);
      if (problems.length > 0) throw invalid(problems);
    },
    publishWithin: publishing.publishWithin,
    hashOf: publishing.hashOf,
  };
  const requests = requestService({ host, access, users });
  const notifications = notificationService({ host, requests, users });
  const receivers = receiverCheck(host, users, groups);
  const requestChanges = requestChangeService({ host, requests, receivers });
  const decisions = accessDecisions({ host, grants, links });
  const acting = { users, publishing: drafts, notifications, accessDecisions: decisions };
  const requestActions = requestActionService({ host, requests, ...acting });
  const asking = { requests, actions: requestActions, notifications };
  const accessRequests = accessRequestService({ host, users, records, links, ...asking });
  const reviews = reviewService({ host, access, records, requests, receivers, actions: requestActions });
  const reviewers = reviewerService({ host, access, requests, receivers, notifications });
  const recordRequests = recordRequestService({ host, access, records, receivers });
  const comments = commentService({ host, requests, notifications });
  const resolutions = resolutionService({ host, comments });
  const timelines = timelineService({ host, requests });
  const attachments = attachmentService({ host, requests, quota, findBytes });
  return {
    ...{ requests, notifications, requestChanges, requestActions, reviews, reviewers, recordRequests },
    ...{ comments, resolutions, timelines, attachments, accessRequests },
  };
}
export type ReviewServices = ReturnType<typeof createReviewServices>;
