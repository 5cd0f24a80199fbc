import { expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { ask } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { eventsOf, sentMessage } from '../messages/messages.fixture.ts';
import { engagement } from '../subgraph.ts';
import { linksFor, trackedHtml } from './links.service.ts';

const { services, newContext } = useServices();

const DOCUMENT = 'mutation ($tokens: [String!]!) { recordLinkVisits(tokens: $tokens) }';
const visit = (...tokens: string[]) => ask(engagement, contextOf(services, anonymous), DOCUMENT, { tokens });
const tracking = { isOpenTracked: true, isClickTracked: true };

async function tracked() {
  const ctx = newContext();
  const message = await sentMessage(ctx, 'lea@example.com');
  const html = '<a href="https://shop.example/sale?email=lea@example.com#top">x</a>';
  const text = await trackedHtml(ctx, html, message.id, tracking);
  const [click, open] = [/\/c\/([\w-]+)/, /\/o\/([\w-]+)/].map((pattern) => pattern.exec(text)![1]!);
  return { ctx, message, click: click!, open: open! };
}

test('openings and clicks are events of their message; the query of an address is not kept', async () => {
  const { ctx, message, click, open } = await tracked();
  for (const token of [open, click, click])
    expect((await visit(token)).data).toEqual({ recordLinkVisits: 1 });
  expect(await eventsOf(ctx, message.id)).toEqual([
    { kind: 'OPENED', url: null },
    { kind: 'CLICKED', url: 'https://shop.example/sale' },
    { kind: 'CLICKED', url: 'https://shop.example/sale' },
  ]);
});

test('a message of another mode or workspace is not touched, and one that is gone is nothing', async () => {
  const { ctx, message, open } = await tracked();
  const testing = contextOf(services, { ...ctx.caller, mode: 'TEST' });
  const elsewhere = [testing, newContext()];
  for (const other of elsewhere) {
    const text = await trackedHtml(other, 'x', message.id, tracking);
    expect((await visit(/\/o\/([\w-]+)/.exec(text)![1]!)).data).toEqual({ recordLinkVisits: 1 });
  }
  expect(await eventsOf(ctx, message.id)).toEqual([]);
  await ctx.sql.query('DELETE FROM engagement.messages WHERE workspace_id = $1 AND id = $2', [
    ctx.scope.workspaceId,
    message.id,
  ]);
  expect((await visit(open)).data).toEqual({ recordLinkVisits: 1 });
});

test('what is no token of a message is refused', async () => {
  const { ctx, message, click } = await tracked();
  const { headers } = await linksFor(ctx, message);
  const recipient = /\/u\/([\w-]+)/.exec(headers['List-Unsubscribe']!)![1]!;
  for (const bad of ['', 'x', `${click}x`, `x${click.slice(1)}`, recipient])
    expect([bad, (await visit(bad)).reason]).toEqual([bad, 'TOKEN_INVALID']);
  expect(await eventsOf(ctx, message.id)).toEqual([]);
});

test('many at once are counted each, of several workspaces, in any order and by two callers', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => tracked()));
  const [first] = all;
  const second = await sentMessage(first!.ctx, 'ada@example.com');
  const html = await trackedHtml(first!.ctx, 'x', second.id, tracking);
  const tokens = [...all.map(({ open }) => open), /\/o\/([\w-]+)/.exec(html)![1]!];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => visit(...(at % 2 ? tokens : tokens.toReversed()))),
  );
  expect(answers.map(({ data }) => data.recordLinkVisits)).toEqual(Array.from({ length: 10 }, () => 11));
  for (const { ctx, message } of all) expect(await eventsOf(ctx, message.id)).toHaveLength(10);
  expect(await eventsOf(first!.ctx, second.id)).toHaveLength(10);
});

test('none and more than a hundred are refused, and one bad one among good ones', async () => {
  const { ctx, message, open } = await tracked();
  for (const tokens of [[], Array.from({ length: 101 }, () => open)])
    expect((await visit(...tokens)).reason).toBe('VALIDATION_FAILED');
  expect((await visit(open, 'x', open)).reason).toBe('TOKEN_INVALID');
  expect(await eventsOf(ctx, message.id)).toEqual([]);
});
