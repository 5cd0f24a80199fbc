/** A word that may not be used, because the field or plain English has a better known one. */
export interface RetiredWord {
  /**
   * Matches lower-case text in which identifiers are written with hyphens: `patienceMs`, `PATIENCE_MS` and
   * `patience-ms` are all `patience-ms`.
   */
  readonly pattern: RegExp;
  readonly use: string;
  /** Files in which the word is correct. */
  readonly allowedIn?: RegExp;
}

const credits =
  /^subgraphs\/model\/|^prisma\/schema\/.*(credit|wallet|model)|^test\/.*(credit|wallet|paid|reservation)/;

export const retiredWords: readonly RetiredWord[] = [
  { pattern: /\bdoors?\b/, use: 'channel, route, or the part that is meant' },
  { pattern: /\bunless told\b/, use: '“Default: …”, or a default value in the SDL' },
  { pattern: /(?<!\bunless )\b(un)?told\b(?! apart)/, use: 'published (events), said, given' },
  {
    // “Tells whether” and “nobody can tell” are ordinary English.
    pattern: /(?<!\b(can|cannot|to) )\btell(s|ing)?\b(?! (\w+ )?(apart|whether|which|why|from)\b)/,
    use: 'publish (events), say, report, name',
  },
  {
    pattern: /\bpatience\b|\bpatiently\b|\bpatient\b(?! \{| implements| @)/,
    use: 'timeout, timeout factor, retries',
  },
  {
    pattern: /\b(learn|learns|learnt)\b(?! (that|nothing|whether|more)\b)/,
    use: 'ingest (the model), read, find out',
  },
  {
    pattern: /(?<!\b(in|single)[- ])\bflights?\b/,
    use: 'single flight: share, start, finish; a request in flight',
    // The test data of an airline uses this word.
    allowedIn: /^gateway\/src\/oracle\/travel\.fixture\.ts$/,
  },
  { pattern: /\b(board|depart|land)\(/, use: 'share, start, finish' },
  { pattern: /\bstand-ins?\b/, use: 'synthetic field (planner), substitute' },
  { pattern: /\b(mend|mends|mended|mending)\b/, use: 'planner workaround, fix, repair' },
  {
    pattern:
      /(?<!\ball-|promise-|(credit|reserv|wallet|cost).*)\bsettle[sd]?\b(?!.*(credit|reserv|wallet|cost))/,
    use: 'resolve (conditions), recalculate (tiers), finish; settle is for credits',
    allowedIn: credits,
  },
  {
    pattern: /\b(lift|lifts|lifted|lifting)\b(?!.*restriction)(?<!restriction.*)/,
    use: 'upgrade (tiers)',
    // The lift of two products or of the best customers is a term of statistics.
    allowedIn: /^(subgraphs\/model\/|docs\/prediction-quality\.md)/,
  },
  { pattern: /\bhold[- ](members?|previews?)\b/, use: 'lock; hold is for coupons and credits' },
  { pattern: /(?<!\bis-)\bgrouped\b(?! by\b|-digits)/, use: 'batched' },
  { pattern: /\b(coalesced|coalescing|coalescer|coalesces)\b/, use: 'throttled' },
  {
    pattern: /\blanes?\b/,
    use: 'concurrency limit, queue',
    // Tests of custom objects have a field of this name.
    allowedIn: /(object|ticket|record|isolation|contract|edge).*\.(test|fixture)\.ts$/,
  },
  { pattern: /(?<!\b(set|sets|put|puts|setting|putting) )\baside\b/, use: 'outside the transaction' },
  { pattern: /\berrands?\b/, use: 'connection request' },
  { pattern: /\b(lend|lends|lent|lending)\b/, use: 'lease' },
  {
    pattern:
      /\blook-(every|back|again|ms)\b|-looking\b|\b(a|the|each|every|next|last|first|this) look\b(?!-)/,
    use: 'poll, check, read',
  },
  { pattern: /\bwires?\b/, use: 'transport, network' },
  { pattern: /\bbeat\b|\bbeats?-|-beats\b/, use: 'heartbeat' },
  { pattern: /\bholders?\b/, use: 'owner' },
  {
    pattern: /\b(doubt|doubts|doubtful)\b/,
    use: 'stale, uncertain',
    // Clients know the uncertain fields of a receipt under this name.
    allowedIn: /receipt|ocr|reading|(orders|commerce)\.prisma$|^prisma\/schema\//,
  },
  { pattern: /\bclockwork\b/, use: 'scheduler' },
  { pattern: /\bsocket[- ]words?\b/, use: 'subscription protocol' },
  { pattern: /\b(vouch|vouches|vouched|vouching)\b/, use: 'signed caller, sign' },
  { pattern: /\ballow-time\b/, use: 'statement timeout' },
  { pattern: /\bstretch(es)?\b/, use: 'delta (statistics), range' },
  { pattern: /\bpromised\b/, use: 'maximum usage' },
  { pattern: /\b(type|interface|as|<) ?answered\b|: answered\b|, answered\b(?= ?[,}])/, use: 'actual usage' },
  { pattern: /\bsurroundings\b/, use: 'context' },
  { pattern: /\bin-clear\b|\bin clear\b/, use: 'unmasked, in plain text' },
  { pattern: /\bwish(es)?\b/, use: 'request' },
  {
    pattern: /(?<![."])\bpoints-entr(y|ies)\b(?!-kind"|:)/,
    use: 'PointsTransaction, as in the graph',
    // The table and the type of the database keep their names.
    allowedIn: /^(prisma|test\/src\/tenancy)\//,
  },
  { pattern: /\b(he|his|him|himself|she|her|herself)\b/, use: 'they, their, or who is meant' },
];
