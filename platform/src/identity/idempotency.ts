import { deserialize, serialize } from 'node:v8';
import { failedWith } from '@loyalty/prisma/sqlstate';
import type { ExecutionResult } from 'graphql';
import type { Mode } from '../base/caller.ts';
import { addMs, DAY_MS } from '../base/clock.ts';
import { AppError, conflict, invalid } from '../base/errors.ts';
import { idsIn } from '../base/ids.ts';
import { lengthAtMost } from '../base/input-rules.ts';
import type { Context, CurrentRequest } from '../context.ts';
import { arraysOf } from '../database/array-parameters.ts';
import { inScope } from '../database/scope-sql.ts';

const KEY_LENGTH_MAX = 255;

/**
 * Runs `work` once per Idempotency-Key of a credential and mode. A second call with the same arguments
 * returns the first answer; a different call with the same key is refused. Key, answer and change commit
 * together.
 *
 * @param operation - name of the mutation; it must be the same, too
 * @throws AppError IDEMPOTENCY_KEY_REUSED (409), IDEMPOTENCY_KEY_IN_FLIGHT (409, with Retry-After),
 * IDEMPOTENCY_ANSWER_ERASED (410)
 * @remarks Answers are sealed with the workspace's key. They are kept for 24 hours, or until a person in them
 *   is erased. The fingerprint of a call is keyed with the workspace's key, so that arguments cannot be
 *   guessed from it.
 */
export async function once<T>(
  ctx: Context,
  operation: string,
  args: unknown,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const key = ctx.request.idempotencyKey;
  if (!key || !ctx.caller.workspaceId) return work(ctx);
  if (key.length > KEY_LENGTH_MAX) throw invalid('Idempotency-Key', lengthAtMost(KEY_LENGTH_MAX));
  const { workspaceId, mode, actor } = ctx.caller;
  const identity = [workspaceId, mode, actor, key];
  const keys = await ctx.services.keyring.of(workspaceId);
  const fingerprints = keys.indexes(`${operation}\0${textOf(args)}`, 'idempotency');
  return ctx.transaction(async (tx) => {
    const kept = await claim(tx, identity, fingerprints);
    if (kept) {
      ctx.request.replayed.add(operation);
      return deserialize(Buffer.from(keys.open(kept, 'idempotency'), 'base64')) as T;
    }
    const answer = await work(tx);
    const sealed = keys.seal(serialize(answer).toString('base64'), 'idempotency');
    await tx.sql.query(`UPDATE platform.idempotency_keys SET answer = $5, about = $6 WHERE ${one}`, [
      ...identity,
      sealed,
      [...idsIn(args, idsIn(answer))],
    ]);
    return answer;
  });
}

/** Arguments as text. 64-bit numbers arrive as bigint, which plain JSON cannot represent. */
const textOf = (args: unknown): string =>
  JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

const one = `${inScope()} AND actor = $3 AND key = $4`;

/** Claims the key for this call and returns null, or returns the stored answer of an earlier call. */
async function claim(
  tx: Context,
  identity: readonly string[],
  fingerprints: readonly string[],
): Promise<Buffer | null> {
  const now = tx.clock.now();
  try {
    const claimed = await tx.sql.query(
      `INSERT INTO platform.idempotency_keys AS k
         (workspace_id, mode, actor, key, fingerprint, about, created_at, expires_at)
       VALUES ($1, $2::platform."Mode", $3, $4, $5, '{}', $6, $7)
       ON CONFLICT (workspace_id, mode, actor, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, answer = NULL, about = excluded.about,
              created_at = excluded.created_at, expires_at = excluded.expires_at
        WHERE k.expires_at <= excluded.created_at
       RETURNING key`,
      [...identity, fingerprints[0], now, addMs(now, DAY_MS)],
    );
    if (claimed.length > 0) return null;
  } catch (error) {
    // The first call still locks the row, and this call's lock timeout has passed.
    if (!failedWith(error, 'LOCK_NOT_AVAILABLE')) throw error;
    throw conflict(
      'IDEMPOTENCY_KEY_IN_FLIGHT',
      'A call with this Idempotency-Key is still running. Try again.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  const [kept] = await tx.sql.query<{ fingerprint: string; answer: Buffer | null }>(
    `SELECT fingerprint, answer FROM platform.idempotency_keys WHERE ${one}`,
    identity,
  );
  if (!kept || !fingerprints.includes(kept.fingerprint)) throw keyReused();
  if (kept.answer) return kept.answer;
  throw new AppError(
    'GONE',
    'IDEMPOTENCY_ANSWER_ERASED',
    'This call was done; its answer was erased with the data of a person. Do not send it again.',
  );
}

/** 409: the Idempotency-Key was used for a different call. */
export const keyReused = (): AppError =>
  conflict('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another call. Send a new key.');

/** A person whose id may occur in arguments and answers. */
export interface Subject {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly id: string;
}

/** Erases every stored answer that names one of these persons; the keys stay used. */
export async function forgetAnswersAbout(tx: Context, subjects: readonly Subject[]): Promise<void> {
  await tx.sql.query(
    `UPDATE platform.idempotency_keys AS k SET answer = NULL, about = '{}'
       FROM unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[]) AS s(workspace_id, mode, id)
      WHERE k.workspace_id = s.workspace_id AND k.mode = s.mode AND k.about @> ARRAY[s.id]`,
    [...arraysOf(subjects, 'workspaceId', 'mode', 'id')],
  );
}

/** Name of the field in the extensions of a subgraph's answer. The gateway reads and removes it. */
const EXTENSION = 'replayed';

/** Adds the names of the replayed mutations to the answer of a subgraph. */
export function withReplays(
  result: ExecutionResult,
  { replayed }: Pick<CurrentRequest, 'replayed'>,
): ExecutionResult {
  if (replayed.size === 0) return result;
  return { ...result, extensions: { ...result.extensions, [EXTENSION]: [...replayed] } };
}

/** Returns the replayed mutations in an answer. */
export function replaysIn({ extensions }: ExecutionResult): readonly string[] {
  const replayed = extensions?.[EXTENSION];
  return Array.isArray(replayed) ? replayed.filter((name) => typeof name === 'string') : [];
}

const replaying = new WeakSet<object>();

/**
 * Marks the resolver of a mutation that calls `once` itself, for only a part of its work. Needed for
 * mutations that call another system, because no transaction may wait for that.
 */
export function replaysItself<Resolve extends object>(resolve: Resolve): Resolve {
  replaying.add(resolve);
  return resolve;
}

/** Returns whether the resolver calls `once` itself. */
export const isReplayingItself = (resolve: object): boolean => replaying.has(resolve);
