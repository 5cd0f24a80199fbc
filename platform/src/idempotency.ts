import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { addMs, DAY_MS } from './clock.ts';
import type { Context } from './context.ts';
import { conflict, invalid } from './errors.ts';

const KEY_LENGTH_MAX = 255;

/**
 * Runs `work` once per Idempotency-Key of a credential: a second call with the same arguments gets the first
 * answer, another call under the same key is refused. Key, answer and change commit together.
 *
 * @param operation - name of the mutation; part of what must be the same
 * @throws AppError IDEMPOTENCY_KEY_REUSED (409), IDEMPOTENCY_KEY_IN_FLIGHT (409, with Retry-After)
 * @remarks Answers are sealed with the workspace's key and kept 24 hours.
 */
export async function once<T>(
  ctx: Context,
  operation: string,
  args: unknown,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const key = ctx.idempotencyKey;
  if (!key || !ctx.caller.workspaceId) return work(ctx);
  if (key.length > KEY_LENGTH_MAX)
    throw invalid('Idempotency-Key', `must have at most ${KEY_LENGTH_MAX} characters`);
  const fingerprint = createHash('sha256').update(operation).update('\0').update(textOf(args)).digest('hex');
  const identity = [ctx.caller.workspaceId, ctx.caller.actor, key];
  const keys = await ctx.services.keyring.of(ctx.caller.workspaceId);
  return ctx.transaction(async (tx) => {
    const kept = await claim(tx, identity, fingerprint);
    if (kept) return deserialize(Buffer.from(keys.open(kept, 'idempotency'), 'base64')) as T;
    const answer = await work(tx);
    const sealed = keys.seal(serialize(answer).toString('base64'), 'idempotency');
    await tx.sql.query(
      'UPDATE platform.idempotency_keys SET answer = $4 WHERE workspace_id = $1 AND actor = $2 AND key = $3',
      [...identity, sealed],
    );
    return answer;
  });
}

/** Arguments as text; 64-bit numbers arrive as bigint, which JSON alone refuses. */
const textOf = (args: unknown): string =>
  JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** The kept answer, or null when the key is ours from now on. */
async function claim(tx: Context, identity: readonly string[], fingerprint: string): Promise<Buffer | null> {
  const now = tx.clock.now();
  try {
    const claimed = await tx.sql.query(
      `INSERT INTO platform.idempotency_keys AS k
         (workspace_id, actor, key, fingerprint, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (workspace_id, actor, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, answer = NULL,
              created_at = excluded.created_at, expires_at = excluded.expires_at
        WHERE k.expires_at <= excluded.created_at
       RETURNING key`,
      [...identity, fingerprint, now, addMs(now, DAY_MS)],
    );
    if (claimed.length > 0) return null;
  } catch (error) {
    // The first call still holds the row: PostgreSQL's lock time-out (55P03) ends our wait.
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw conflict(
      'IDEMPOTENCY_KEY_IN_FLIGHT',
      'A call with this Idempotency-Key is still running. Try again.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  const [kept] = await tx.sql.query<{ fingerprint: string; answer: Buffer | null }>(
    `SELECT fingerprint, answer FROM platform.idempotency_keys
      WHERE workspace_id = $1 AND actor = $2 AND key = $3`,
    identity,
  );
  if (!kept?.answer || kept.fingerprint !== fingerprint) {
    throw conflict(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another call. Send a new key.',
    );
  }
  return kept.answer;
}

const replaying = new WeakSet<object>();

/**
 * Marks the resolver of a mutation that calls `once` by itself, around less than all that it does: one that
 * asks another system something, for which no transaction may wait.
 */
export function replaysItself<Resolve extends object>(resolve: Resolve): Resolve {
  replaying.add(resolve);
  return resolve;
}

/** Does the resolver call `once` by itself? */
export const isReplayingItself = (resolve: object): boolean => replaying.has(resolve);
