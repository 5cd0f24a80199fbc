import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemCaller } from '@loyalty/platform/base/caller';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { createHttpClient } from '@loyalty/platform/outbound/http-client';
import { contextOf } from '@loyalty/test/harness/services';
import { addEmailProvider } from '../providers/email-providers.service.ts';
import { sendMessagesLoop } from '../sending/sending.jobs.ts';

/** A mail as the provider received it. */
export interface PostedMail {
  readonly key: string | undefined;
  readonly path: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly headers: Record<string, string>;
}

/** The status of the response, immediate or delayed; null never responds. */
type Answer = (mail: PostedMail) => number | null | Promise<number | null>;

/** Starts the API of a mail provider on this machine. */
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

/** Services of a process that may reach these hosts. */
export function reaching<S extends Services>(services: S, hosts: readonly string[]): S {
  const config = { ...services.config, OUTBOUND_ALLOW: [...hosts] };
  return { ...services, config, http: createHttpClient({ allow: hosts }) };
}

/** Configures this API as the provider of the workspace. */
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

/** Sends due messages, as a worker does, until none are due. */
export async function sendAll(services: Services): Promise<void> {
  const ctx = contextOf(services, systemCaller('test'));
  while ((await sendMessagesLoop.turn(ctx)) === 0);
}

/** Inserts a template with one version. */
export async function givenTemplate(
  ctx: Context,
  {
    category = 'TRANSACTIONAL',
    subject = 'Order {{ data.order_number }}',
    html = '<p>Hello {{ member.first_name }}, order {{ data.order_number }} is sent.</p>',
  }: {
    readonly category?: 'TRANSACTIONAL' | 'MARKETING';
    readonly subject?: string;
    readonly html?: string;
  } = {},
): Promise<string> {
  const id = newId(ctx.clock);
  const { workspaceId } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO engagement.message_templates
            (workspace_id, id, name, category, version, created_at, updated_at)
     VALUES ($1, $2, $3, $4::engagement."MessageCategory", 1, $5, $5)`,
    [workspaceId, id, `Template ${id}`, category, ctx.clock.now()],
  );
  await ctx.sql.query(
    `INSERT INTO engagement.message_template_versions
            (workspace_id, template_id, number, subject, format, source, html, text, actor, created_at)
     VALUES ($1, $2, 1, $3, 'HTML', $4, $4, 'Text', 'user:test', $5)`,
    [workspaceId, id, subject, html, ctx.clock.now()],
  );
  return id;
}

/** Returns the blind index of an address in the workspace. */
const indexOf = async (ctx: Context, address: string): Promise<string> =>
  (await ctx.services.keyring.of(ctx.scope.workspaceId)).index(address, EMAIL_INDEX);

/** Inserts a message that was sent to an address. */
export async function sentMessage(ctx: Context, address: string) {
  const message = {
    id: newId(ctx.clock),
    category: 'MARKETING' as const,
    emailIndex: await indexOf(ctx, address),
    memberId: null,
  };
  await ctx.sql.query(
    `INSERT INTO engagement.messages
            (workspace_id, mode, id, category, email_index, status, actor, created_at)
     VALUES ($1, $2::platform."Mode", $3, 'MARKETING', $4, 'SENT', 'system:test', $5)`,
    [...scopeOf(ctx), message.id, message.emailIndex, ctx.clock.now()],
  );
  return message;
}

/** Recorded events of a message, oldest first. */
export const eventsOf = (ctx: Context, messageId: string): Promise<{ kind: string; url: string | null }[]> =>
  ctx.sql.query(
    `SELECT kind, url FROM engagement.message_events WHERE ${inScope()} AND message_id = $3 ORDER BY id`,
    [...scopeOf(ctx), messageId],
  );
