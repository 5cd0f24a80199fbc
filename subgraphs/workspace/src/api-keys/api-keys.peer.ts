import type { Context } from '@loyalty/platform/context';

const KEY = 'query KeyOf($id: ID!) { apiKey(id: $id) { id kind mode revokedAt } }';

interface KeyReply {
  readonly apiKey: {
    readonly id: string;
    readonly kind: string;
    readonly mode: string;
    readonly revokedAt: string | null;
  } | null;
}

/**
 * The id of a secret key of the caller's workspace and mode that is not revoked; null for any other.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findUsableKey(ctx: Context, id: string): Promise<string | null> {
  const answer = await ctx.services.peers.ask(ctx, 'workspace', { query: KEY, variables: { id } });
  const { apiKey } = answer as unknown as KeyReply;
  const isUsable = apiKey?.kind === 'SECRET' && apiKey.mode === ctx.scope.mode && apiKey.revokedAt === null;
  return isUsable ? apiKey.id : null;
}
