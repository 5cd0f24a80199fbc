import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports } from '@loyalty/cli/subgraphs';
import type { Gateway } from '@loyalty/gateway/gateway';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { memberCookie } from '@loyalty/platform/identity/session-cookie';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { restAdapter } from '@loyalty/rest-adapter/adapter';
import { remoteGraph } from '@loyalty/rest-adapter/remote-graph';
import { rows } from '@loyalty/rest-adapter/table/rows';
import fastify, { type FastifyInstance } from 'fastify';
import { clientOf } from '../../harness/client.ts';
import { useStack } from '../../harness/stack.ts';

const WEBHOOK_SECRET = 'whsec_of_the_test';

const stack = useStack();
let stripe: Server;
let gateway: Gateway;
let apart: FastifyInstance;
let graph: ReturnType<typeof remoteGraph>;
const urls: Record<string, string> = {};

const listen = async (app: FastifyInstance) => app.listen({ port: 0, host: '127.0.0.1' });

beforeAll(async () => {
  stripe = createServer((request, response) => {
    request.resume().on('end', () => {
      const id = `cs_${request.headers['idempotency-key']}`;
      response.end(JSON.stringify({ id, object: 'checkout.session', url: `https://pay.example.com/${id}` }));
    });
  });
  await new Promise<void>((listening) => stripe.listen(0, '127.0.0.1', listening));
  const config = {
    ...stack.services.config,
    STRIPE_SECRET_KEY: 'sk_of_the_test',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`,
  };
  const services = { ...stack.services, config };
  gateway = await composeGateway(services, localTransports(services));
  urls['gateway'] = await listen(gateway.app);
  graph = remoteGraph(urls['gateway'], 5_000, callerSecrets(config), memberCookie(config));
  apart = fastify();
  apart.decorateRequest('refused', null);
  apart.decorateRequest('address', '127.0.0.1');
  const { schema, access } = gateway.graph.supergraph;
  await apart.register(namedPlugin(restAdapter), {
    rows,
    schema,
    access,
    graph,
    memberCookie: memberCookie(config),
  });
  urls['REST adapter'] = await listen(apart);
});
stack.beforeClose(async () => {
  await apart.close();
  await graph.close();
  await gateway.close();
  stripe.closeAllConnections();
  await new Promise((closed) => stripe.close(closed));
});

function signatureOf(payload: string): string {
  const seconds = Math.floor(stack.services.clock.now().getTime() / 1_000);
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${seconds}.${payload}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

describe.each(['gateway', 'REST adapter'])('an event that arrives at the %s', (receiver) => {
  const send = (body: string, signature: string) =>
    clientOf(urls[receiver]!).rest('POST', '/api/payments/stripe', {
      body,
      headers: { 'stripe-signature': signature },
    });

  test('fills the wallet of the owner who deposited, and a forged one does not', async () => {
    const { token, workspaceId } = await stack.signUp();
    const { graph: ask } = clientOf(urls['gateway']!);
    const begun = await ask<{ depositCredits: { openDeposits: { id: string; checkoutUrl: string }[] } }>(
      'mutation { depositCredits(usdCents: 500) { openDeposits { id checkoutUrl } } }',
      {},
      token,
    );
    const [{ id, checkoutUrl } = { id: '', checkoutUrl: '' }] = begun.data.depositCredits.openDeposits;
    expect(checkoutUrl).toBe(`https://pay.example.com/cs_${id}`);
    const object = {
      id: `cs_${id}`,
      payment_status: 'paid',
      amount_total: 500,
      currency: 'usd',
      metadata: { loyalty_workspace_id: workspaceId, loyalty_deposit_id: id },
    };
    const type = 'checkout.session.completed';
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } }, null, 2);
    const balance = async () => {
      const { data } = await ask<{ wallet: { balance: number } }>('{ wallet { balance } }', {}, token);
      return data.wallet.balance;
    };
    expect(await send(payload, signatureOf(`${payload} `))).toMatchObject({ status: 400 });
    expect(await balance()).toBe(50_000);
    expect(await send(payload, signatureOf(payload))).toMatchObject({
      status: 200,
      body: { received: true },
    });
    expect(await send(payload, signatureOf(payload))).toMatchObject({ status: 200 });
    expect(await balance()).toBe(100_000);
  });
});

test('the documents do not show the endpoint of the payment provider', async () => {
  const { status, body } = await stack.rest('GET', '/openapi/v2.json');
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toContain('/api/payments');
});
