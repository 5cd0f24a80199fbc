import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { askOf } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { storeInMailbox } from './mailbox.service.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const LIST = `query ($first: Int, $after: String) { mailboxMessages(first: $first, after: $after) {
  totalCount pageInfo { hasNextPage endCursor }
  nodes { id to from replyTo subject html text headers createdAt } } }`;
const ONE = 'query ($id: ID!) { mailboxMessage(id: $id) { id subject } }';

const mail = (part: object = {}) => ({
  id: newId(ctx.clock),
  to: 'ada@example.com',
  from: 'Loyalty <no-reply@example.com>',
  replyTo: null,
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'List-Unsubscribe': '<https://loyalty.example.com/u>' },
  ...part,
});

describe('the development mailbox', () => {
  test('shows mail as it would arrive, newest first, page by page', async () => {
    const sent = [mail({ subject: 'one' }), mail({ subject: 'two' }), mail({ subject: 'three' })];
    for (const each of sent) await storeInMailbox(ctx, each);
    const { mailboxMessages: first } = (await ask(fresh(), LIST, { first: 2 })).data;
    expect(first.nodes).toEqual([
      { ...sent[2], createdAt: services.clock.now().toISOString() },
      { ...sent[1], createdAt: services.clock.now().toISOString() },
    ]);
    expect(first.totalCount).toBe(3);
    const { mailboxMessages: rest } = (await ask(fresh(), LIST, { after: first.pageInfo.endCursor })).data;
    expect(rest.nodes.map(({ subject }: { subject: string }) => subject)).toEqual(['one']);
    const { data } = await ask(fresh(), ONE, { id: sent[1]!.id });
    expect(data.mailboxMessage).toEqual({ id: sent[1]!.id, subject: 'two' });
  });

  test('keeps a message once', async () => {
    const sent = mail();
    await Promise.all([storeInMailbox(ctx, sent), storeInMailbox(ctx, sent)]);
    expect((await ask(fresh(), LIST)).data.mailboxMessages.totalCount).toBe(1);
  });

  test('keeps nothing that can be read in the database', async () => {
    await storeInMailbox(ctx, mail({ subject: 'a secret subject' }));
    const rows = await ctx.sql.query<{ row: string }>(
      `SELECT t::text || encode(t.sealed, 'escape') AS row FROM engagement.mailbox_messages t
        WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    expect(rows[0]?.row).not.toMatch(/ada@example|a secret subject|Hello/);
  });

  test('is not there in production', async () => {
    const production = { ...services, config: { ...services.config, isProduction: true } };
    for (const query of [LIST, ONE]) {
      const answer = await ask(contextOf(production, ctx.caller), query, { id: newId(ctx.clock) });
      expect(answer).toMatchObject({ code: 'FORBIDDEN', reason: 'MAILBOX_NOT_AVAILABLE' });
    }
  });

  test('is of one workspace and mode, and for its admins only', async () => {
    const sent = mail();
    await storeInMailbox(ctx, sent);
    for (const other of [newContext(), fresh({ mode: 'TEST' })]) {
      expect((await ask(other, LIST)).data.mailboxMessages.totalCount).toBe(0);
      expect((await ask(other, ONE, { id: sent.id })).data.mailboxMessage).toBeNull();
    }
    expect((await ask(fresh({ role: 'MEMBER' }), LIST)).reason).toBe('ROLE_REQUIRED');
    expect((await ask(fresh({ kind: 'KEY' }), LIST)).reason).toBe('CALLER_REFUSED');
  });
});
