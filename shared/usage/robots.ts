/**
 * What robots call themselves in `User-Agent`. Programs that people run themselves (curl, scripts, replicas) are not
 * among them: what they fetch is used.
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

/** Whether a visit is that of a robot, which is not counted. */
export const isRobot = (userAgent: string | undefined): boolean => userAgent !== undefined && robots.test(userAgent);
