import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { eventually } from '@loyalty/test/harness/eventually';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { LEASE_MS } from '../limits/message-queue.ts';
import { sendAll } from '../messages/messages.fixture.ts';
import { queueMessages } from '../messages/queue-messages.service.ts';
import { holdMessages } from '../messages/source-messages.service.ts';
import { givenMessages, givenSource, messagesOf } from './sending.fixture.ts';
import {
  type ClaimedMessage,
  claimMessages,
  endAttempts,
  markPushesSent,
  moveMessages,
  startAttempts,
} from './sending.store.ts';

const { services, ctx, fresh } = useServices();

// Messages of earlier tests would be claimed, too.
beforeEach(() => ctx.sql.query('UPDATE engagement.messages SET due_at = NULL'));

const capacity = { total: 1_000, perQueue: 200, busy: [] };

/** A node of a PostgreSQL query plan. */
interface PlanStep {
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanStep[];
}

const pagesOf = (step: PlanStep): number =>
  (step['Index Name'] === 'messages_due_idx' ? step['Shared Hit Blocks'] + step['Shared Read Blocks'] : 0) +
  (step.Plans ?? []).reduce((sum, part) => sum + pagesOf(part), 0);

/** The number of index pages that PostgreSQL reads to find due messages. */
async function claimPages(): Promise<number> {
  services.statements.length = 0;
  await claimMessages(contextOf(services, systemCaller('test')), capacity);
  const text = services.statements.find((statement) => statement.includes('WITH RECURSIVE queues'))!;
  const now = services.clock.now();
  const [row] = await services.database.sql.query<{ 'QUERY PLAN': [{ Plan: PlanStep }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [now, capacity.total, capacity.perQueue, [], [], [], now, true],
  );
  return pagesOf(row!['QUERY PLAN'][0].Plan);
}

test('messages of a paused campaign cost claims nothing once a worker has taken them', async () => {
  const before = await claimPages();
  const source = givenSource();
  await queueMessages(ctx, {
    ...{ channel: 'EMAIL', category: 'MARKETING', source, data: {} },
    inline: { subject: 'News', html: '<p>News</p>' },
    recipients: Array.from({ length: 4_000 }, () => ({ memberId: randomUUID(), key: randomUUID() })),
  });
  expect(await claimPages()).toBeGreaterThan(before + 20);
  await fresh().transaction((tx) => holdMessages(tx, source.id));
  await ctx.sql.query('UPDATE engagement.messages SET due_at = $2 WHERE source_id = $1', [
    source.id,
    services.clock.now(),
  ]);
  await sendAll(services);
  // VACUUM removes their index entries once no older statement needs them.
  await eventually(async () => {
    await services.database.sql.query('VACUUM engagement.messages');
    expect(await claimPages()).toBeLessThan(before + 10);
  });
});

/** Claims the message of this workspace, as a worker does. */
async function claimed(): Promise<ClaimedMessage> {
  const taken = await claimMessages(contextOf(services, systemCaller('test')), capacity);
  return taken.find(({ workspaceId }) => workspaceId === ctx.scope.workspaceId)!;
}

describe('a worker whose message was taken by another one', () => {
  const failed = { status: 'FAILED', reason: 'REJECTED', detail: null, dueAt: null } as const;
  const writes: Record<string, (message: ClaimedMessage) => Promise<unknown>> = {
    'does not move it': (message) => moveMessages(ctx, [{ ...message, ...failed }]),
    'begins no attempt': (message) =>
      startAttempts(ctx, [
        {
          ...message,
          ...{ messageId: message.id, providerId: null, providerKind: 'SMTP', warning: null },
        },
      ]),
    'does not mark it as sent': (message) => ctx.transaction((tx) => markPushesSent(tx, [message])),
  };

  test.each(Object.entries(writes))('%s', async (_, write) => {
    await givenMessages(ctx);
    const stale = await claimed();
    services.clock.advance(LEASE_MS);
    const current = await claimed();
    expect(current).toMatchObject({ id: stale.id, claims: 2 });
    const before = await messagesOf(ctx);
    await write(stale);
    expect(await messagesOf(ctx)).toEqual(before);
    await write(current);
    expect(await messagesOf(ctx)).not.toEqual(before);
  });
});

test('an attempt whose outcome comes late says nothing of the attempt of another worker', async () => {
  await givenMessages(ctx);
  const begin = async (): Promise<{ readonly messageId: string; readonly number: number }> => {
    const message = await claimed();
    const about = { messageId: message.id, providerId: null, providerKind: 'SMTP', warning: null };
    const [number] = await startAttempts(ctx, [{ ...message, ...about }]);
    return { messageId: message.id, number: number! };
  };
  const late = await begin();
  services.clock.advance(LEASE_MS);
  const current = await begin();
  const outcome = { outcome: 'ACCEPTED', error: null, isWarned: false, durationMs: 1 } as const;
  const provider = { providerId: null, providerKind: 'SMTP', providerMessageId: null, isIdempotent: true };
  const accepted = { ...outcome, ...provider, responseStatus: 200 };
  await endAttempts(ctx, [{ ...late, ...accepted }]);
  expect(await messagesOf(ctx)).toMatchObject([{ status: 'QUEUED', attempts: ['ACCEPTED', 'UNKNOWN'] }]);
  await endAttempts(ctx, [{ ...current, ...accepted }]);
  expect(await messagesOf(ctx)).toMatchObject([{ status: 'SENT', attempts: ['ACCEPTED', 'ACCEPTED'] }]);
});
