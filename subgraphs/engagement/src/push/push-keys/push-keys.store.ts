import type { Context } from '@loyalty/platform/context';

/** The pair of keys of a workspace, its private key sealed. */
export interface SealedKeys {
  readonly publicKey: string;
  readonly privateKeySealed: Buffer;
}

export async function findKeys(ctx: Context): Promise<SealedKeys | null> {
  const [row] = await ctx.sql.query<SealedKeys>(
    `SELECT public_key, private_key_sealed
       FROM engagement.push_keys WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  return row ?? null;
}

/** Of two that come at the same time, the first is kept. */
export async function insertKeys(ctx: Context, { publicKey, privateKeySealed }: SealedKeys): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.push_keys (workspace_id, public_key, private_key_sealed, created_at)
     VALUES ($1, $2, $3, $4) ON CONFLICT (workspace_id) DO NOTHING`,
    [ctx.scope.workspaceId, publicKey, privateKeySealed, ctx.clock.now()],
  );
}
