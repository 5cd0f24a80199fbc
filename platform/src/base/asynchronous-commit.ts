/**
 * An item for FROM: the transaction of the statement, often the statement alone, commits without waiting for
 * the disk. It is for bookkeeping that may be missing after a crash of PostgreSQL, as if it had not happened:
 * what commits later and waits makes it durable, too, so nothing is kept that builds on something lost.
 */
export const ASYNCHRONOUS_COMMIT =
  "(SELECT set_config('synchronous_commit', 'off', true)) AS asynchronous_commit";
