import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { type Answer, ask } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, type TestServices } from '@loyalty/test/harness/services';
import Stripe from 'stripe';
import { model } from '../subgraph.ts';

export const SECRET_KEY = 'sk_test_secret';

const WEBHOOK_SECRET = 'whsec_secret';

/** A received request. */
interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

/** A server that answers like Stripe Checkout: the same idempotency key gets the same page. */
export interface StripeApi {
  readonly url: string;
  readonly calls: Call[];
  /** Statuses of the next answers; success if empty. */
  readonly failures: number[];
  /** Runs before an answer is sent. */
  beforeAnswer: (call: Call, reference: string) => Promise<void>;
  close(): Promise<void>;
}

async function startStripeApi(): Promise<StripeApi> {
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const call = { path: request.url ?? '', headers: request.headers, form };
    api.calls.push(call);
    const failure = api.failures.shift();
    const id = `cs_${request.headers['idempotency-key']}`;
    if (!failure) await api.beforeAnswer(call, id);
    const page = { id, object: 'checkout.session', url: `https://pay.example.com/${id}` };
    const error = { error: { type: 'api_error', message: `refused ${SECRET_KEY}` } };
    response.writeHead(failure ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(failure ? error : page));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const api: StripeApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    failures: [],
    beforeAnswer: async () => {},
    close: () => new Promise((closed) => void server.close(() => closed()).closeAllConnections()),
  };
  return api;
}

const signer = new Stripe(SECRET_KEY);

/** Returns an event of the provider with its signature. */
export function signedEvent(
  type: string,
  session: Readonly<Record<string, unknown>>,
  options: { readonly at: Date; readonly secret?: string },
): { payload: string; signature: string } {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object: session } });
  const signature = signer.webhooks.generateTestHeaderString({
    payload,
    secret: options.secret ?? WEBHOOK_SECRET,
    timestamp: Math.floor(options.at.getTime() / 1_000),
  });
  return { payload, signature };
}

const DEPOSIT = `mutation ($usdCents: Int!) {
  depositCredits(usdCents: $usdCents) {
    balance openDeposits { id usdCents credits status checkoutUrl createdAt }
  }
}`;

const DEPOSITS = `{ wallet { balance
  deposits { nodes { id status usdCents credits checkoutUrl closedAt } totalCount } openDeposits { id } } }`;

const RECEIVE = `mutation ($payload: String!, $signature: String!) {
  receivePaymentEvent(payload: $payload, signature: $signature)
}`;

export const COMPLETED = 'checkout.session.completed';

export const deposit = (ctx: Context, usdCents = 1_234): Promise<Answer> =>
  ask(model, ctx, DEPOSIT, { usdCents });

/** Returns the wallet with its deposits, as the caller sees it. */
export const walletOf = async (ctx: Context) => (await ask(model, ctx, DEPOSITS)).data.wallet;

export interface Payments {
  /** Services of an installation that takes payments through Stripe. */
  readonly withStripe: Services;
  readonly api: StripeApi;
  /** Logged warnings and errors. */
  readonly warnings: unknown[];
  /**
   * Creates a deposit with an open page, by default in a new workspace; returns the page's session after its
   * payment.
   */
  pending(usdCents?: number, caller?: Caller): Promise<{ ctx: () => Context; id: string; session: Session }>;
  /** Sends an event as any client could. */
  receive(event: { payload: string; signature: string }, through?: Services): Promise<Answer>;
  /** Sends an event like Stripe. */
  sendEvent(type: string, session: Readonly<Record<string, unknown>>): Promise<Answer>;
  forget(): void;
  close(): Promise<void>;
}

type Session = Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, unknown>> };

export async function startPayments(services: TestServices): Promise<Payments> {
  const api = await startStripeApi();
  const warnings: unknown[] = [];
  const log = services.log.child({});
  log.warn = log.error = (...entry: unknown[]) => void warnings.push(entry);
  const config = {
    ...services.config,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: api.url,
    PUBLIC_URL: 'https://loyalty.example.com/',
  };
  const withStripe = { ...services, log, config };
  const receive: Payments['receive'] = (event, through = withStripe) =>
    ask(model, contextOf(through, anonymous), RECEIVE, event);
  return {
    withStripe,
    api,
    warnings,
    receive,
    pending: (usdCents = 1_234, caller = callerOf()) => begin(withStripe, usdCents, caller),
    sendEvent: (type, session) => receive(signedEvent(type, session, { at: services.clock.now() })),
    forget() {
      api.calls.length = api.failures.length = warnings.length = 0;
      api.beforeAnswer = async () => {};
    },
    close: () => api.close(),
  };
}

async function begin(
  withStripe: Services,
  usdCents: number,
  caller: Caller,
): ReturnType<Payments['pending']> {
  const ctx = () => contextOf(withStripe, caller);
  const { id } = (await deposit(ctx(), usdCents)).data.depositCredits.openDeposits[0];
  const metadata = { loyalty_workspace_id: caller.workspaceId, loyalty_deposit_id: id };
  const paid = { payment_status: 'paid', amount_total: usdCents, currency: 'usd' };
  return { ctx, id, session: { id: `cs_${id}`, ...paid, metadata } };
}
