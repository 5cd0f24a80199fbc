/**
 * An item for FROM. With it, the transaction of the statement (often the statement alone) commits without
 * waiting for the disk. Use it for bookkeeping whose last entries may be lost in a crash of PostgreSQL. A
 * later commit that waits for the disk makes the earlier ones durable, too, so nothing durable depends on a
 * lost entry.
 */
export const ASYNCHRONOUS_COMMIT =
  "(SELECT set_config('synchronous_commit', 'off', true)) AS asynchronous_commit";
