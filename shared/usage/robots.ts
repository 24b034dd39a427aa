/**
 * How robots name themselves in `User-Agent`. Programs that users run themselves (curl, scripts, replicas) are not
 * robots: their downloads are use.
 */
const patterns = [
  "bot\\b",
  "bot[/;_-]",
  "crawl",
  "spider",
  "slurp",
  "archiver",
  "facebookexternalhit",
  "feedfetcher",
  "headlesschrome",
  "lighthouse",
  "linkcheck",
  "mediapartners",
  "monitor",
  "pingdom",
  "preview",
  "scrap(?:e|y)",
  "uptime",
  "validator",
];
const robots = new RegExp(patterns.join("|"), "i");

/** Whether a visit comes from a robot and is not counted. */
export const isRobot = (userAgent: string | undefined): boolean => userAgent !== undefined && robots.test(userAgent);
