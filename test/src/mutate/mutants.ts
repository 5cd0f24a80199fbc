/** A change of one place in a file. */
export interface Mutant {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The position in the line, from 0. */
  readonly column: number;
  readonly from: string;
  readonly to: string;
}

type Rule = readonly [pattern: RegExp, to: string];

/** Small changes that make code wrong: in TypeScript, and in the SQL inside it. */
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
  // SQL: leaves out a condition, takes no lock, or changes a comparison.
  [/\bAND (?!\$?\d)[\w."]+ = \$\d+(?:::\w+)?/g, ''],
  [/ = (?=\$\d)/g, ' <> '],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/ FOR (?:NO KEY )?UPDATE\b/g, ''],
  [/\bSKIP LOCKED\b/g, ''],
  [/\bDESC\b/g, 'ASC'],
];

/** Lines without a decision: imports, types and comments. */
const isPlain = (line: string): boolean =>
  /^\s*(?:import|export type|export interface|type |interface |readonly |\/\/|\/\*|\*)/.test(line);

/** All mutants of these lines, in order; of the whole file if no lines are given. */
export function mutantsOf(source: string, lines?: ReadonlySet<number>): Mutant[] {
  return source.split('\n').flatMap((text, index) => {
    const line = index + 1;
    if (isPlain(text) || (lines && !lines.has(line))) return [];
    return rules.flatMap(([pattern, to]) =>
      [...text.matchAll(pattern)].map((match) => ({ line, column: match.index, from: match[0], to })),
    );
  });
}

/** The source with the mutant applied. */
export function withMutant(source: string, { line, column, from, to }: Mutant): string {
  const lines = source.split('\n');
  const text = lines[line - 1] ?? '';
  if (!text.startsWith(from, column)) throw new Error(`Line ${line} has no ${from} at ${column}.`);
  lines[line - 1] = text.slice(0, column) + to + text.slice(column + from.length);
  return lines.join('\n');
}
