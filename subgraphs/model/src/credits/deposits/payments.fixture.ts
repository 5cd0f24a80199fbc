import { anonymous, type Caller } from '@loyalty/platform/caller/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { type Answer, ask } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, type TestServices } from '@loyalty/test/harness/services';
import { model } from '../../subgraph.ts';
import {
  SECRET_KEY,
  type StripeApi,
  signedEvent,
  startStripeApi,
  WEBHOOK_SECRET,
} from './stripe-api.fixture.ts';

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

/** The wallet with its deposits, as the caller sees it. */
export const walletOf = async (ctx: Context) => (await ask(model, ctx, DEPOSITS)).data.wallet;

export interface Payments {
  /** As an installation has them that takes payments through Stripe. */
  readonly withStripe: Services;
  readonly api: StripeApi;
  /** What was logged as a warning or an error. */
  readonly warnings: unknown[];
  /** A deposit whose page is open, by default in a new workspace, and the page's session once it is paid. */
  pending(usdCents?: number, caller?: Caller): Promise<{ ctx: () => Context; id: string; session: Session }>;
  /** Sends an event as any client could. */
  receive(event: { payload: string; signature: string }, through?: Services): Promise<Answer>;
  /** Sends an event as Stripe does. */
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
