import { beforeAll, describe, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports } from '@loyalty/cli/subgraphs';
import {
  sendgridKey,
  sentMessage,
  signedSendgrid,
  stored,
} from '@loyalty/engagement-subgraph/notices/notices.fixture';
import type { Gateway } from '@loyalty/gateway/gateway';
import { systemCaller } from '@loyalty/platform/base/caller';
import { createContext } from '@loyalty/platform/database/create-context';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { memberCookie } from '@loyalty/platform/identity/session-cookie';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { restAdapter } from '@loyalty/rest-adapter/adapter';
import { remoteGraph } from '@loyalty/rest-adapter/remote-graph';
import { rows } from '@loyalty/rest-adapter/table/rows';
import fastify, { type FastifyInstance } from 'fastify';
import { useStack } from '../../harness/stack.ts';

const stack = useStack();
let gateway: Gateway;
let apart: FastifyInstance;
let graph: ReturnType<typeof remoteGraph>;
const urls: Record<string, string> = {};

beforeAll(async () => {
  gateway = await composeGateway(stack.services, localTransports(stack.services));
  urls['gateway'] = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const cookie = memberCookie(stack.services.config);
  graph = remoteGraph(urls['gateway'], 5_000, callerSecrets(stack.services.config), cookie);
  apart = fastify();
  apart.decorateRequest('refused', null);
  apart.decorateRequest('address', '127.0.0.1');
  const { schema, access } = gateway.graph.supergraph;
  await apart.register(namedPlugin(restAdapter), { rows, schema, access, graph, memberCookie: cookie });
  urls['REST adapter'] = await apart.listen({ port: 0, host: '127.0.0.1' });
});
stack.beforeClose(async () => {
  await apart.close();
  await graph.close();
  await gateway.close();
});

const ADD = `mutation ($input: AddEmailProviderInput!) { addEmailProvider(input: $input) { id noticeUrl } }`;

/** Makes a mail provider in a new workspace; returns the address to which the provider posts its notices. */
async function provider() {
  const { token, workspaceId } = await stack.signUp();
  const input = {
    name: 'SendGrid',
    kind: 'SENDGRID',
    fromAddress: 'shop@example.org',
    secret: { apiKey: 'key' },
    noticeKey: sendgridKey,
  };
  const { data } = await stack.graph<{ addEmailProvider: { id: string; noticeUrl: string } }>(
    ADD,
    { input },
    token,
  );
  const caller = systemCaller('test', { workspaceId, mode: 'LIVE' });
  const ctx = createContext(stack.services, { caller, requestId: 'test' });
  return { ...data.addEmailProvider, ctx };
}

/** A REST adapter in a process of its own forwards at most 256 KiB of a caller without a credential. */
const receivers = [
  ['gateway', 2_600],
  ['REST adapter', 700],
] as const;

describe.each(receivers)('notices that arrive at the %s, %s of them,', (receiver, length) => {
  const send = async (path: string, { payload, signedAt, signature }: ReturnType<typeof signedSendgrid>) => {
    const response = await fetch(urls[receiver] + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-timestamp': signedAt,
        'x-twilio-email-event-webhook-signature': signature,
      },
      body: payload,
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };

  test('suppress an address without a credential, forged ones do not, nor what others sent', async () => {
    const { id, noticeUrl, ctx } = await provider();
    const path = new URL(noticeUrl).pathname;
    const message = await sentMessage(ctx, 'ada@example.com', { id, messageId: 'sg-1' });
    const bounce = { event: 'bounce', type: 'bounce', sg_event_id: 'e1', message_id: message.id };
    const now = stack.services.clock.now();
    const foreign = Array.from({ length }, (_, at) => ({
      email: `someone.${at}@example.com`,
      event: 'delivered',
      sg_event_id: `foreign-${at}`,
      reason: 'x'.repeat(200),
    }));
    const body = signedSendgrid([...foreign, bounce], now);
    expect(await send(path, { ...body, payload: `${body.payload} ` })).toEqual({
      status: 400,
      body: { error: 'signature does not fit the notice, or is too old.' },
    });
    expect(await send('/api/email-notices/x/y', body)).toMatchObject({ status: 400 });
    expect(await stored(ctx, message)).toEqual({ status: 'SENT', events: [], reasons: [] });
    expect(await send(path, body)).toEqual({ status: 200, body: { received: true } });
    expect(await stored(ctx, message)).toEqual({
      status: 'BOUNCED',
      events: ['BOUNCED permanent'],
      reasons: ['BOUNCED'],
    });
  });
});
