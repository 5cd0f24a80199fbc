import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';

export const SECRET_KEY = 'sk_test_secret';
export const WEBHOOK_SECRET = 'whsec_secret';

/** A request that arrived. */
interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

/** A server that answers as Stripe Checkout does: the same idempotency key gets the same page. */
export interface StripeApi {
  readonly url: string;
  readonly calls: Call[];
  /** Statuses of the next answers; success where there is none. */
  readonly failures: number[];
  /** Runs before an answer is sent. */
  beforeAnswer: (call: Call, reference: string) => Promise<void>;
  close(): Promise<void>;
}

export async function startStripeApi(): Promise<StripeApi> {
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

/** An event of the provider with its signature. */
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
