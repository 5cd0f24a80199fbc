/** Says since when a row is deprecated and when it will be removed. */
export interface Deprecation {
  /** The day from which new clients should not use the row, YYYY-MM-DD. */
  readonly since: string;
  /** The day on which the row is removed, at least a year later, YYYY-MM-DD. */
  readonly sunset: string;
  /** Path of the row that replaces it. */
  readonly replacedBy?: string;
}

/** Page with the deprecation policy. */
const POLICY = '/docs/rest#versions';

/** Returns the headers of RFC 9745, RFC 8594 and RFC 8288 for the answers of a deprecated row. */
export function deprecationHeaders({ since, sunset, replacedBy }: Deprecation): Record<string, string> {
  const links = [`<${POLICY}>; rel="deprecation"; type="text/html"`];
  if (replacedBy !== undefined) links.push(`<${replacedBy}>; rel="successor-version"`);
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: links.join(', '),
  };
}

/** Returns the same information as a sentence. */
export const deprecationSentence = ({ since, sunset, replacedBy }: Deprecation): string =>
  `Deprecated since ${since}; it ends on ${sunset}.${replacedBy === undefined ? '' : ` Use ${replacedBy}.`}`;
