import type { Context } from '../context.ts';

/**
 * Lets the statements of this transaction take longer than those of a request.
 *
 * @param seconds.statement - for each statement
 * @param seconds.lock - for each lock. Default: as before
 */
export async function setStatementTimeout(
  tx: Pick<Context, 'sql'>,
  seconds: { readonly statement: number; readonly lock?: number },
): Promise<void> {
  const { statement, lock } = seconds;
  await tx.sql.query(
    `SELECT set_config('statement_timeout', $1, true),
            set_config('lock_timeout', coalesce($2, current_setting('lock_timeout')), true)`,
    [`${statement}s`, lock === undefined ? null : `${lock}s`],
  );
}
