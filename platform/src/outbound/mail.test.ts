import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createMailer } from './mail.ts';

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

/** A mail server that keeps what it accepts and answers recipients with `recipientReply`. */
async function smtpServer(recipientReply = '250 fine'): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    cleanups.push(() => socket.destroy());
    let data: string | null = null;
    let rest = '';
    const reply = (line: string) => socket.write(`${line}\r\n`);
    reply('220 test');
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (data !== null && line !== '.') data += `${line}\n`;
        else if (data !== null) {
          received.push(data);
          data = null;
          reply('250 accepted');
        } else if (/^(EHLO|HELO)/.test(line)) reply('250 test');
        else if (line.startsWith('RCPT')) reply(recipientReply);
        else if (line === 'DATA') {
          data = '';
          reply('354 go on');
        } else reply('250 fine');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
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
