type Options = Intl.DateTimeFormatOptions;

/** More languages than any site has; callers may name any. */
const maxLocales = 64;
const formats = new WeakMap<Options, Map<string, Intl.DateTimeFormat>>();

/**
 * A format of dates. Making one takes 0.1 ms, which a list of records would pay several times for each.
 * @param options a constant object: formats are kept by it. @throws RangeError for a locale that is none.
 */
export function dateFormat(locale: string, options: Options): Intl.DateTimeFormat {
  const known = formats.get(options) ?? new Map<string, Intl.DateTimeFormat>();
  formats.set(options, known);
  const found = known.get(locale) ?? new Intl.DateTimeFormat(locale, options);
  if (known.size < maxLocales) known.set(locale, found);
  return found;
}
