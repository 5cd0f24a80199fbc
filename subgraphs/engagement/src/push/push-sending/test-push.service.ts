import type { Context } from '@loyalty/platform/context';
import { notFound } from '@loyalty/platform/errors';
import { audit } from '@loyalty/platform/operations/audit';
import { findMember } from '../../peers.ts';
import { sendPush } from './push-sending.service.ts';

/**
 * Sends a test notification to every browser of a member. Audited.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 */
export async function sendTestPush(ctx: Context, memberId: string): Promise<{ browsers: number }> {
  if (!(await findMember(ctx, memberId))) throw notFound('member', memberId);
  const notification = {
    title: 'Test notification',
    body: 'Web push works.',
    topic: 'test',
    ttlSeconds: 300,
  };
  return ctx.transaction(async (tx) => {
    const browsers = await sendPush(tx, { memberIds: [memberId], notification });
    const after = { browsers };
    await audit(tx, { action: 'sendTestPush', resourceType: 'Member', resourceId: memberId, after });
    return { browsers };
  });
}
