import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '@loyalty/platform/config/config';
import { type Client, createClient } from 'graphql-ws';
import { Webhook } from 'standardwebhooks';
import { WebSocket } from 'ws';

export interface ListenOptions {
  /** URL to which the messages are posted. */
  readonly forward: string;
  /** Keys of the event catalog, separated by commas. Default: all. */
  readonly events?: string | undefined;
  /** Address of the platform. */
  readonly url: string;
  /** API key with the scope `webhooks:manage`. Default: LOYALTY_API_KEY. */
  readonly key?: string | undefined;
  /** Signing secret. Default: LOYALTY_WEBHOOK_SECRET, otherwise a new one. */
  readonly secret?: string | undefined;
}

interface WebhookMessage {
  readonly id: string;
  readonly type: string;
  readonly body: object;
}

const SUBSCRIPTION = `subscription WebhookMessages($eventTypes: [String!]) {
  webhookMessages(eventTypes: $eventTypes) { id type body }
}`;
const FORWARD_TIMEOUT_MS = 15_000;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;

/**
 * Subscribes to the events of a workspace and posts each event to a local address, signed like a delivery of
 * a webhook. Events that occur while there is no connection are not posted.
 *
 * @param signal - stops the command
 * @throws ConfigError that says what to correct: an option, the key, or an event that is not in the catalog
 */
export async function listenToWebhooks(
  env: NodeJS.ProcessEnv,
  options: ListenOptions,
  say: (line: string) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const key = options.key ?? env['LOYALTY_API_KEY'];
  if (!key) throw new ConfigError('Set LOYALTY_API_KEY, or --key, to an API key with webhooks:manage.');
  const forward = addressOf('--forward', options.forward);
  const url = addressOf('--url', options.url);
  const secret = options.secret ?? env['LOYALTY_WEBHOOK_SECRET'] ?? newSecret();
  const post = poster(forward, signerOf(secret), say);
  const client = clientOf(url, key, say);
  const end = () => void client.dispose();
  signal.addEventListener('abort', end, { once: true });
  say(`Signing secret: ${secret}`);
  say(`Events of ${url.host} are posted to ${forward.href}. Press Ctrl+C to stop.`);
  const eventTypes = options.events?.split(',').map((event) => event.trim()) ?? null;
  try {
    while (!signal.aborted) {
      await forwardAll(client, eventTypes, post, say);
      // The subscription ended without an error, or because it was read too slowly. It starts again.
      if (!signal.aborted) await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener('abort', end);
    await client.dispose();
  }
}

type Post = (message: WebhookMessage) => Promise<void>;

/** Posts one message after the other, until the subscription ends. */
async function forwardAll(
  client: Client,
  eventTypes: readonly string[] | null,
  post: Post,
  say: (line: string) => void,
): Promise<void> {
  const results = client.iterate<{ webhookMessages: WebhookMessage }>({
    query: SUBSCRIPTION,
    variables: { eventTypes },
  });
  try {
    for await (const { data, errors } of results) {
      if (data) await post(data.webhookMessages);
      else say(`The subscription ended: ${errors?.[0]?.message}`);
    }
  } catch (error) {
    throw new ConfigError(sentenceOf(error));
  }
}

/** Returns the reason for which an operation was refused, or a socket was closed permanently. */
function sentenceOf(error: unknown): string {
  const [refused] = Array.isArray(error) ? (error as { message: string }[]) : [];
  const { reason, message } = (error ?? {}) as { reason?: string; message?: string };
  return refused?.message || reason || message || 'The subscription was refused.';
}

const clientOf = (url: URL, key: string, say: (line: string) => void): Client =>
  createClient({
    url: new URL('/graphql', url).href.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${key}` },
    lazy: true,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: async (retries) => {
      say(`No connection to ${url.host}. Trying again.`);
      await delay(Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** retries) * (0.5 + Math.random() / 2));
    },
    on: { connected: () => say(`Connected to ${url.host}.`) },
  });

/** Signs and posts a message, and prints one line for it. */
function poster(forward: URL, signer: Webhook, say: (line: string) => void): Post {
  return async ({ id, type, body }) => {
    const [text, now] = [JSON.stringify(body), new Date()];
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signer.sign(id, now, text),
    };
    const startedAt = performance.now();
    const outcome = await fetch(forward, {
      ...{ method: 'POST', headers, body: text, redirect: 'manual' },
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    }).then(
      async (response) => {
        await response.body?.cancel();
        return String(response.status);
      },
      ({ name, cause }: Error) => `failed (${(cause as { code?: string } | undefined)?.code ?? name})`,
    );
    say(`${outcome} ${type} ${id} ${Math.round(performance.now() - startedAt)} ms`);
  };
}

function addressOf(option: string, text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new ConfigError(`${option} must be a URL such as http://127.0.0.1:3000/hooks.`);
}

function signerOf(secret: string): Webhook {
  try {
    if (!secret.startsWith('whsec_')) throw new Error('another kind of secret');
    return new Webhook(secret);
  } catch {
    throw new ConfigError('The signing secret must be `whsec_` and Base64.');
  }
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
