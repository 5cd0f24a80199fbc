import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { createHttpClient } from '@loyalty/platform/outbound/http-client';
import { contextOf } from '@loyalty/test/harness/services';
import { addEmailProvider } from '../providers/email-providers/email-providers.service.ts';
import { sendMessagesLoop } from './sending/sending.jobs.ts';

/** A mail as a provider got it. */
export interface PostedMail {
  readonly key: string | undefined;
  readonly path: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly headers: Record<string, string>;
}

/** Status of an answer, at once or after some time; null never answers. */
type Answer = (mail: PostedMail) => number | null | Promise<number | null>;

/** The API of a mail provider on this machine. */
export async function startMailApi() {
  const mails: PostedMail[] = [];
  let answer: Answer = () => 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const key = request.headers['idempotency-key'] as string | undefined;
    const to = Array.isArray(body.to) ? body.to[0] : body.to;
    const mail = { key, path: request.url!, ...body, to } as PostedMail;
    mails.push(mail);
    const status = await answer(mail);
    if (status === null) return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: `mail-${key ?? mails.length}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    mails,
    url: `http://${host}`,
    answerWith: (next: Answer) => {
      answer = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type MailApi = Awaited<ReturnType<typeof startMailApi>>;

/** The services of a process that may reach these hosts. */
export function reaching<S extends Services>(services: S, hosts: readonly string[]): S {
  const config = { ...services.config, OUTBOUND_ALLOW: [...hosts] };
  return { ...services, config, http: createHttpClient({ allow: hosts }) };
}

/** The workspace sends through this API. */
export async function givenProvider(
  ctx: Context,
  { url, host }: Pick<MailApi, 'url' | 'host'>,
  kind: 'RESEND' | 'CUSTOM_REST' = 'RESEND',
): Promise<string> {
  const allowed = contextOf(reaching(ctx.services, [host]), ctx.caller);
  const { id } = await addEmailProvider(allowed, {
    name: kind,
    kind,
    fromAddress: 'shop@example.com',
    config: { endpoint: url },
    secret: { apiKey: 'key' },
  });
  return id;
}

/** Sends what is due, as a worker does, until nothing is left to do now. */
export async function sendAll(services: Services): Promise<void> {
  const ctx = contextOf(services, systemCaller('test'));
  while ((await sendMessagesLoop.turn(ctx)) === 0);
}
