import type { Mode } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';

/** The rows of the caller's workspace and mode, of the table by this name or alias. Binds $1 and $2. */
export const inScope = (table: string): string =>
  `${table}.workspace_id = $1 AND ${table}.mode = $2::platform."Mode"`;

/** The values of $1 and $2. */
export const scopeOf = ({ scope }: Context): readonly [workspaceId: string, mode: Mode] => [
  scope.workspaceId,
  scope.mode,
];
