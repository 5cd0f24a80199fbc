import type { Context } from '@loyalty/platform/context';

// Facts and what is made from them belong to one workspace and one mode. Statements take both as their first
// two parameters. Credits have no mode: their statements take the workspace alone.

export const scopeParams = ({ scope }: Context): [workspaceId: string, mode: string] => [
  scope.workspaceId,
  scope.mode,
];

/** The condition that rows belong to the workspace `$1` and the mode `$2`. */
export function inScope(alias?: string): string {
  const prefix = alias ? `${alias}.` : '';
  return `${prefix}workspace_id = $1 AND ${prefix}mode = $2::platform."Mode"`;
}
