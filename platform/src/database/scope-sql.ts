import type { Mode } from '../base/caller.ts';
import type { Context } from '../context.ts';

/**
 * Returns the condition for rows of the caller's workspace and mode. It uses the first two parameters of the
 * statement, which are `scopeOf`.
 *
 * @param table - its name or alias; only needed if the statement reads several tables
 */
export function inScope(table?: string): string {
  const prefix = table ? `${table}.` : '';
  return `${prefix}workspace_id = $1 AND ${prefix}mode = $2::platform."Mode"`;
}

/** Returns the values of $1 and $2. */
export const scopeOf = ({ scope }: Pick<Context, 'scope'>): readonly [workspaceId: string, mode: Mode] => [
  scope.workspaceId,
  scope.mode,
];
