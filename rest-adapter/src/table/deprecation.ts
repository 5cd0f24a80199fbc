/** That a row will end, and when. */
export interface Deprecation {
  /** The day from which nobody should begin to use it, YYYY-MM-DD. */
  readonly since: string;
  /** The day on which it ends: a year later at the earliest. */
  readonly sunset: string;
  /** The path that does the same. */
  readonly replacedBy?: string;
}

/** Where the policy stands. */
const POLICY = '/docs#versions';

/** RFC 9745, RFC 8594 and RFC 8288: what the answers of such a row say. */
export function deprecationHeaders({ since, sunset, replacedBy }: Deprecation): Record<string, string> {
  const links = [`<${POLICY}>; rel="deprecation"; type="text/html"`];
  if (replacedBy !== undefined) links.push(`<${replacedBy}>; rel="successor-version"`);
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
    link: links.join(', '),
  };
}

/** The same as a sentence. */
export const deprecationSentence = ({ since, sunset, replacedBy }: Deprecation): string =>
  `Deprecated since ${since}; it ends on ${sunset}.${replacedBy === undefined ? '' : ` Use ${replacedBy}.`}`;
