import type { Mode } from '../base/caller.ts';
import type { Context } from '../context.ts';

/**
 * Condition on the rows of the caller's workspace and mode. It takes the statement's first two parameters,
 * which are `scopeOf`.
 *
 * @param table - its name or alias; not needed where a statement reads only one
 */
export function inScope(table?: string): string {
  const prefix = table ? `${table}.` : '';
  return `${prefix}workspace_id = $1 AND ${prefix}mode = $2::platform."Mode"`;
}

/** The values of $1 and $2. */
export const scopeOf = ({ scope }: Pick<Context, 'scope'>): readonly [workspaceId: string, mode: Mode] => [
  scope.workspaceId,
  scope.mode,
];
