/** What robots may read: pages and public files. Searches and the rest of the API cost too much for nothing. */
export const robotsText = (base: string): string => `User-agent: *
Disallow: /search?
Disallow: /api/
Allow: /api/records/*/files/*/content
Allow: /api/iiif/
Disallow: /me
Disallow: /uploads
Disallow: /sign-in
Disallow: /settings
Disallow: /records/*/files?
Disallow: /records/*/files/*?
Allow: /records/*/files/*?download=1

Sitemap: ${base}/sitemap.xml
`;
