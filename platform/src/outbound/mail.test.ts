import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createMailer } from './mail.ts';
import { type SmtpServer, smtpServer as startSmtpServer } from './smtp-server.fixture.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const mail = {
  to: 'ada@example.org',
  subject: 'Grüße',
  text: 'Your code is 7.',
  html: '<b>Your code is 7.</b>',
};

async function smtpServer(recipientReply?: string): Promise<SmtpServer> {
  const server = await startSmtpServer(recipientReply);
  cleanups.push(() => server.close());
  return server;
}

function smtpMailer(url: string) {
  const mailer = createMailer({ url, from: 'Loyalty <no-reply@example.com>', directory: '/nonexistent' });
  cleanups.push(() => mailer.close());
  return mailer;
}

test('with a URL the message goes to the mail server with sender, text and HTML', async () => {
  const { url, received } = await smtpServer();
  await smtpMailer(url).send(mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^From: Loyalty <no-reply@example\.com>$/m);
  expect(received[0]).toMatch(/^To: ada@example\.org$/m);
  expect(received[0]).toContain('multipart/alternative');
});

test('further headers, the address for replies and the id of a message are its own', async () => {
  const { url, received } = await smtpServer();
  const headers = { 'List-Unsubscribe': '<https://loyalty.example.com/u>' };
  await smtpMailer(url).send({ ...mail, headers, messageId: '7@example.com', replyTo: 'help@example.org' });
  expect(received[0]).toMatch(/^List-Unsubscribe: <https:\/\/loyalty\.example\.com\/u>$/m);
  expect(received[0]).toMatch(/^Message-ID: <7@example\.com>$/m);
  expect(received[0]).toMatch(/^Reply-To: help@example\.org$/m);
  expect(received[0]).toMatch(/^From: Loyalty <no-reply@example\.com>$/m);
});

test('a recipient that the server refuses for good is rejected, and the error does not name it', async () => {
  const { url } = await smtpServer('550 no mailbox ada@example.org');
  const failure = await smtpMailer(url)
    .send(mail)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'MAIL_REJECTED' });
  expect(JSON.stringify(Object.entries(failure as Error)) + String(failure)).not.toContain('ada@');
  expect((failure as Error).cause).toBeUndefined();
});

test('a recipient that the server defers, and a server out of reach, are unavailable', async () => {
  const { url } = await smtpServer('451 later');
  await expect(smtpMailer(url).send(mail)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE' });
  await expect(smtpMailer('smtp://127.0.0.1:1').send(mail)).rejects.toMatchObject({
    code: 'MAIL_UNAVAILABLE',
  });
});

test('a line break in a field adds no header', async () => {
  const { url, received } = await smtpServer();
  await smtpMailer(url).send({ ...mail, subject: 'Hello\r\nBcc: eve@example.org' });
  expect(received[0]).not.toMatch(/^Bcc:/m);
});

test('without a URL each message becomes a file that only its owner reads', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mail-'));
  cleanups.push(() => rm(directory, { recursive: true }));
  const mailer = createMailer({ from: 'no-reply@example.com', directory: join(directory, 'out') });
  await mailer.send(mail);
  await mailer.send(mail);
  await mailer.close();
  const files = await readdir(join(directory, 'out'));
  expect(files).toHaveLength(2);
  const text = await readFile(join(directory, 'out', files[0]!), 'utf8');
  expect(text).toMatch(/^To: ada@example\.org\r?$/m);
  expect(text).toContain('Your code is 7.');
});
