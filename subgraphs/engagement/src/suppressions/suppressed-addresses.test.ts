import { describe, expect, test } from '@jest/globals';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { NO_ID, newId } from '@loyalty/platform/base/ids';
import { askOf } from '@loyalty/test/harness/ask';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { sentMessage } from '../notices/notices.fixture.ts';
import { engagement } from '../subgraph.ts';
import {
  findEmailSuppression,
  suppressBounced,
  suppressComplained,
  unsubscribe,
} from './suppressions.service.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const LIST = `query ($reason: SuppressionReason, $first: Int, $after: String) {
  emailSuppressions(reason: $reason, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { reason since member { id } } } }`;
const ALLOW = `mutation ($email: String!) {
  removeBounceSuppression(email: $email) { email isSuppressed reasons } }`;

const indexOf = async (email: string) =>
  (await services.keyring.of(ctx.scope.workspaceId)).index(email, EMAIL_INDEX);

describe('an address that bounced', () => {
  test('is suppressed once, without an event, since nobody changed a consent', async () => {
    const index = await indexOf('ada@example.com');
    await Promise.all([suppressBounced(ctx, [index]), suppressBounced(ctx, [index])]);
    const found = await findEmailSuppression(fresh(), 'ada@example.com');
    expect(found).toMatchObject({ isSuppressed: true, isUnsubscribed: false, reasons: ['BOUNCED'] });
    expect(await publishedEvents(ctx, 'engagement.address_suppressed')).toEqual([]);
  });

  test('is mailed again once an admin says so, which is audited', async () => {
    await suppressBounced(ctx, [await indexOf('ada@example.com')]);
    const answer = await ask(fresh(), ALLOW, { email: ' Ada@Example.com ' });
    expect(answer.data.removeBounceSuppression).toEqual({
      email: 'ada@example.com',
      isSuppressed: false,
      reasons: [],
    });
    await ask(fresh(), ALLOW, { email: 'ada@example.com' });
    const audited = await ctx.sql.query(
      'SELECT action, before FROM platform.audit_entries WHERE workspace_id = $1',
      [ctx.scope.workspaceId],
    );
    expect(audited).toEqual([{ action: 'removeBounceSuppression', before: { reason: 'BOUNCED' } }]);
  });

  test('stays suppressed where its owner unsubscribed or complained', async () => {
    const index = await indexOf('ada@example.com');
    await unsubscribe(ctx, 'ada@example.com');
    await suppressBounced(ctx, [index]);
    await suppressComplained(ctx, [index]);
    const { data } = await ask(fresh(), ALLOW, { email: 'ada@example.com' });
    expect(data.removeBounceSuppression.reasons.toSorted()).toEqual(['COMPLAINED', 'UNSUBSCRIBED']);
  });

  test('is not mailed again by others, nor in another mode or workspace', async () => {
    await suppressBounced(ctx, [await indexOf('ada@example.com')]);
    const email = 'ada@example.com';
    expect((await ask(fresh({ role: 'MEMBER' }), ALLOW, { email })).reason).toBe('ROLE_REQUIRED');
    expect((await ask(fresh({ kind: 'KEY' }), ALLOW, { email })).reason).toBe('CALLER_REFUSED');
    await ask(fresh({ mode: 'TEST' }), ALLOW, { email });
    await ask(newContext(), ALLOW, { email });
    expect((await findEmailSuppression(fresh(), email)).reasons).toEqual(['BOUNCED']);
    expect(await ask(fresh(), ALLOW, { email: 'ada' })).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('the list of suppressed addresses', () => {
  test('has reason, time and member, but no address', async () => {
    const memberId = newId(ctx.clock);
    const { emailIndex } = await sentMessage(ctx, 'bo@example.com', { id: NO_ID, messageId: 'x' }, memberId);
    await unsubscribe(ctx, 'ada@example.com');
    await suppressBounced(ctx, [emailIndex]);
    await suppressComplained(ctx, [emailIndex]);
    const since = services.clock.now().toISOString();
    const { emailSuppressions: all } = (await ask(fresh(), LIST)).data;
    expect(all).toMatchObject({
      totalCount: 3,
      nodes: [
        { reason: 'COMPLAINED', since, member: { id: memberId } },
        { reason: 'BOUNCED', since, member: { id: memberId } },
        { reason: 'UNSUBSCRIBED', since, member: null },
      ],
    });
    const { emailSuppressions: some } = (await ask(fresh(), LIST, { reason: 'BOUNCED', first: 1 })).data;
    expect(some).toMatchObject({ totalCount: 1, nodes: [{ reason: 'BOUNCED' }] });
    expect((await ask(newContext(), LIST)).data.emailSuppressions.totalCount).toBe(0);
    expect((await ask(fresh({ mode: 'TEST' }), LIST)).data.emailSuppressions.totalCount).toBe(0);
  });

  test('is read with as many statements for fifty as for one', async () => {
    const indexes = await Promise.all(Array.from({ length: 50 }, (_, at) => indexOf(`m${at}@example.com`)));
    await suppressBounced(ctx, indexes);
    services.statements.length = 0;
    const query = '{ emailSuppressions(first: 50) { nodes { reason member { id } } } }';
    expect((await ask(fresh(), query)).data.emailSuppressions.nodes).toHaveLength(50);
    expect(services.statements).toHaveLength(1);
  });
});
