/**
 * What robots may read: pages and public files. Searches and the rest of the API cost too much for nothing. Rules match
 * the start of an address, so `$` and `/` end the name of a page: the operator may have a page `methods`.
 */
export const robotsText = (base: string): string => `User-agent: *
Disallow: /search?
Disallow: /api/
Allow: /api/records/*/files/*/content
Allow: /api/iiif/
Disallow: /me$
Disallow: /me/
Disallow: /me?
Disallow: /uploads$
Disallow: /uploads/
Disallow: /uploads?
Disallow: /sign-in$
Disallow: /sign-in/
Disallow: /sign-in?
Disallow: /settings$
Disallow: /settings/
Disallow: /settings?
Disallow: /records/*/files?
Disallow: /records/*/files/*?
Allow: /records/*/files/*?download=1

Sitemap: ${base}/sitemap.xml
`;
