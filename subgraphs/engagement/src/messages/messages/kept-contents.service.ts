import { DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { LRUCache } from 'lru-cache';
import type { NotificationContent } from '../rendering/notification-content.ts';
import type { Content } from '../rendering/render.ts';
import { keepContent, keptContentById } from './kept-contents.store.ts';
import { messageKeys, openShared, sealShared } from './message-personal.ts';

/** Which contents this process has written, and on which day; retention leaves what was used lately. */
const written = new LRUCache<string, number>({ max: 10_000 });

/** How contents are told apart. */
const INDEX = 'message.shared-content';

/**
 * Keeps what many messages say once, for as long as messages are queued with it; the same content has the
 * same id. It stays also where the caller's transaction does not.
 */
export async function shareContent(ctx: Context, content: Content | NotificationContent): Promise<string> {
  const keys = await messageKeys(ctx);
  const text = JSON.stringify(content);
  const id = uuidOf(keys.index(text, INDEX));
  const key = `${ctx.scope.workspaceId} ${id}`;
  const day = Math.floor(ctx.clock.now().getTime() / DAY_MS);
  if (written.get(key) === day) return id;
  await keepContent(ctx.outsideTransaction(), { id, contentSealed: sealShared(keys, text) });
  written.set(key, day);
  return id;
}

/** Null once retention has deleted it. */
export async function sharedContent<C extends Content | NotificationContent>(
  ctx: Context,
  id: string,
): Promise<C | null> {
  const found = await ctx.load(keptContentById, id);
  return found && (JSON.parse(openShared(await messageKeys(ctx), found)) as C);
}

/** The first 16 bytes of a blind index, as a UUID of version 8 (RFC 9562, section 5.8). */
function uuidOf(index: string): string {
  const bytes = Buffer.from(index, 'base64url').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
