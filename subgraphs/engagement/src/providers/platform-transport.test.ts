import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createMailer, type Mailer } from '@loyalty/platform/outbound/mail';
import { type SmtpServer, smtpServer } from '@loyalty/platform/outbound/smtp-server.fixture';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { simpleParser } from 'mailparser';
import { listMailboxMessages } from './mailbox.service.ts';
import { platformTransport } from './platform-transport.ts';
import { mailOf } from './providers.fixture.ts';

const { services, ctx } = useServices();
const MAIL_FROM = 'Loyalty <no-reply@loyalty.example.com>';

let server: SmtpServer;
let mailer: Mailer;
async function connect(recipientReply?: string) {
  server = await smtpServer(recipientReply);
  mailer = createMailer({ url: server.url, from: MAIL_FROM, directory: '/nonexistent' });
}
beforeEach(() => connect());
afterEach(async () => {
  await mailer.close();
  server.close();
});

const withServer = (mode: 'LIVE' | 'TEST' = 'LIVE') => {
  const config = { ...services.config, MAIL_URL: server.url, MAIL_FROM };
  return contextOf({ ...services, config, mailer }, callerOf({ ...ctx.caller, mode }));
};

const send = (through: typeof ctx) => platformTransport(through).send(through, mailOf(), 1_000);

describe("the platform's provider", () => {
  test('sends a whole message from its own address, whatever the workspace asks for', async () => {
    const own = withServer();
    const mail = mailOf({ from: 'shop@example.org', replyTo: 'help@example.org' });
    const sent = await platformTransport(own).send(own, mail, 1_000);
    const messageId = `${mail.messageId}@loyalty.example.com`;
    expect(sent).toEqual({
      outcome: 'ACCEPTED',
      responseStatus: null,
      error: null,
      providerMessageId: messageId,
    });
    const parsed = await simpleParser(server.received[0]!);
    expect(parsed).toMatchObject({
      subject: 'Grüße',
      messageId: `<${messageId}>`,
      from: { text: '"Loyalty" <no-reply@loyalty.example.com>' },
      to: { text: 'ada@example.com' },
      replyTo: { text: 'help@example.org' },
    });
    expect([parsed.html, parsed.text?.trim()]).toEqual(['<p>Hello Ada</p>', 'Hello Ada']);
    expect(server.received[0]).toMatch(/^List-Unsubscribe: <https:/m);
  });

  test('keeps mail of test mode in the mailbox', async () => {
    expect(await send(withServer('TEST'))).toMatchObject({ outcome: 'ACCEPTED' });
    expect(server.received).toEqual([]);
    expect((await listMailboxMessages(withServer('TEST'), {})).rows).toHaveLength(1);
  });

  test.each([
    ['550 no mailbox ada@example.com', 'REJECTED'],
    ['451 later', 'UNAVAILABLE'],
  ])('that answers %s is %s, in a sentence without the address', async (reply, outcome) => {
    await mailer.close();
    server.close();
    await connect(reply);
    const sent = await send(withServer());
    expect(sent).toMatchObject({ outcome, providerMessageId: null });
    expect(sent.error).not.toContain('ada@');
  });
});
