/** A place of a file and what stands there instead. */
export interface Mutant {
  /** The line, from 1. */
  readonly line: number;
  /** The place in the line, from 0. */
  readonly column: number;
  readonly from: string;
  readonly to: string;
}

type Rule = readonly [pattern: RegExp, to: string];

/** What is wrong by one step: of TypeScript and of the SQL inside it. */
const rules: readonly Rule[] = [
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ \+ 1\b/g, ' + 2'],
  [/ - 1\b/g, ' - 2'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\bMath\.min\(/g, 'Math.max('],
  [/\bMath\.max\(/g, 'Math.min('],
  [/\bthrow (?=\w)/g, 'void '],
  [/\bawait (?=\w)/g, 'void '],
  [/\bif \(!/g, 'if ('],
  // SQL: a condition is left out, a lock is not taken, a fence lets others pass.
  [/\bAND (?!\$?\d)[\w."]+ = \$\d+(?:::\w+)?/g, ''],
  [/ = (?=\$\d)/g, ' <> '],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/ FOR (?:NO KEY )?UPDATE\b/g, ''],
  [/\bSKIP LOCKED\b/g, ''],
  [/\bDESC\b/g, 'ASC'],
];

/** Lines that decide nothing: imports, types and comments. */
const isPlain = (line: string): boolean =>
  /^\s*(?:import|export type|export interface|type |interface |readonly |\/\/|\/\*|\*)/.test(line);

/** Everything that can be made wrong in these lines, in their order; all lines where none are named. */
export function mutantsOf(source: string, lines?: ReadonlySet<number>): Mutant[] {
  return source.split('\n').flatMap((text, index) => {
    const line = index + 1;
    if (isPlain(text) || (lines && !lines.has(line))) return [];
    return rules.flatMap(([pattern, to]) =>
      [...text.matchAll(pattern)].map((match) => ({ line, column: match.index, from: match[0], to })),
    );
  });
}

/** The source with the mutant in its place. */
export function withMutant(source: string, { line, column, from, to }: Mutant): string {
  const lines = source.split('\n');
  const text = lines[line - 1] ?? '';
  if (!text.startsWith(from, column)) throw new Error(`Line ${line} has no ${from} at ${column}.`);
  lines[line - 1] = text.slice(0, column) + to + text.slice(column + from.length);
  return lines.join('\n');
}
