import type { Router } from "express";
import { accessRequestRoutes } from "../access-requests/access-request.routes.ts";
import { attachmentRoutes } from "../comments/attachment.routes.ts";
import { commentRoutes } from "../comments/comment.routes.ts";
import { timelineRoutes } from "../comments/timeline.routes.ts";
import type { Host } from "../kernel/host.ts";
import { notificationRoutes } from "../notifications/notification.routes.ts";
import { requestRoutes } from "../requests/request.routes.ts";
import { requestListRoutes } from "../requests/request-list.routes.ts";
import { reviewRoutes } from "../requests/review.routes.ts";
import { reviewerRoutes } from "../requests/reviewer.routes.ts";
import type { ReviewServices } from "./review-services.ts";

/** Routes of requests, conversations and notifications. */
export const reviewRouters = (parts: { host: Host } & ReviewServices): Router[] => [
  requestRoutes(parts),
  requestListRoutes(parts),
  reviewRoutes(parts),
  reviewerRoutes(parts),
  accessRequestRoutes(parts),
  commentRoutes(parts),
  timelineRoutes(parts),
  attachmentRoutes(parts),
  notificationRoutes(parts),
];
