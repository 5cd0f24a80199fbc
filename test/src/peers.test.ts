import { beforeAll, expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { questions } from '@loyalty/commerce-subgraph/peers';
import type { Context, Peers } from '@loyalty/platform/context';
import { localPeers, remotePeers } from '@loyalty/platform/graph/peers';
import { subgraphServer } from '@loyalty/platform/graph/subgraph-server';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { ask } from './harness/ask.ts';
import { callerOf, contextOf, useServices } from './harness/services.ts';

const { services, beforeClose } = useServices();
let app: ReturnType<typeof subgraphServer>;
let remote: Peers;

beforeAll(async () => {
  const secrets = callerSecrets(services.config);
  app = subgraphServer(subgraphs.loyalty, services, secrets);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  remote = remotePeers({ url: () => `${url}/graphql`, secrets, timeoutMs: 2_000, answerBytesMax: 1_000_000 });
});
beforeClose(async () => {
  await remote.close();
  await app.close();
});

const refs = (peers: Peers, ctx: Context, ids: readonly string[]) =>
  peers.ask(ctx, 'loyalty', questions.MemberRefs, { ids });

async function memberOf(workspace = callerOf()) {
  const ctx = contextOf(services, workspace);
  const create = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
  const { data } = await ask(subgraphs.loyalty, ctx, create, { input: { email: 'peer@example.com' } });
  return { ctx, id: data.createMember.id as string };
}

test('a peer answers alike in this process and in another', async () => {
  const { ctx, id } = await memberOf();
  const here = await refs(localPeers(subgraphs), ctx, [id]);
  expect(here._memberRefs).toEqual([expect.objectContaining({ id, status: 'ACTIVE', tierMultiplier: 1 })]);
  expect(await refs(remote, ctx, [id])).toEqual(JSON.parse(JSON.stringify(here)));
});

test('a peer in this process sees what the asking transaction has written', async () => {
  const { ctx } = await memberOf();
  await ctx.transaction(async (tx) => {
    const create = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
    const { data } = await ask(subgraphs.loyalty, tx, create, { input: { email: 'new@example.com' } });
    const answer = await refs(localPeers(subgraphs), tx, [data.createMember.id]);
    expect(answer._memberRefs).toHaveLength(1);
  });
});

test.each(['LIVE', 'TEST'] as const)(
  "another workspace's or mode's member is not found (%s)",
  async (mode) => {
    const { ctx, id } = await memberOf();
    const { workspaceId } = ctx.scope;
    const stranger = mode === 'TEST' ? callerOf({ workspaceId: workspaceId!, mode }) : callerOf();
    const answer = await refs(remote, contextOf(services, stranger), [id]);
    expect(answer._memberRefs).toEqual([]);
  },
);

test('no client may ask what peers ask', async () => {
  const { ctx, id } = await memberOf();
  expect((await ask(subgraphs.loyalty, ctx, `{ _memberRefs(ids: ["${id}"]) { id } }`)).code).toBe(
    'FORBIDDEN',
  );
});

test('a refusal keeps its words, and a peer that is away is 503', async () => {
  const { ctx } = await memberOf();
  await expect(refs(remote, ctx, ['nope'])).rejects.toMatchObject({ code: 'INVALID_ID' });
  const nobody = remotePeers({
    url: () => 'http://127.0.0.1:1/graphql',
    secrets: callerSecrets(services.config),
    timeoutMs: 500,
    answerBytesMax: 1_000_000,
  });
  await expect(refs(nobody, ctx, [])).rejects.toMatchObject({ code: 'PEER_UNAVAILABLE' });
  await nobody.close();
});
