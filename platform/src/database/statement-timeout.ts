import type { Context } from '../context.ts';

/**
 * Sets longer timeouts for the statements of this transaction than those of a request.
 *
 * @param seconds.statement - for each statement
 * @param seconds.lock - for each lock. Default: unchanged
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
