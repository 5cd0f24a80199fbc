import { pageHeaders } from '@loyalty/platform/http/page-headers';
import '@loyalty/platform/http/http-request';
import type { FastifyInstance } from 'fastify';
import { addAssets, pageStyle, readAsset } from '../pages/page-assets.ts';
import { mailboxPage } from './mailbox-page.ts';

/** Mails bring their own styles and images; their scripts and forms do not work. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data: http: https:',
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The mails that a development server kept instead of sending them, for whoever develops on this machine. The
 * page itself holds none: it reads them through the graph once somebody has signed in, and keeps the session
 * in its memory. It is not there in production.
 */
export async function mailbox(app: FastifyInstance): Promise<void> {
  const script = readAsset(new URL('mailbox.js', import.meta.url));
  const style = readAsset(new URL('mailbox.css', import.meta.url));
  const html = mailboxPage({ script: script.address, styles: [pageStyle.address, style.address] });
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ ...pageHeaders, 'content-security-policy': POLICY, 'x-frame-options': 'DENY' });
  });
  addAssets(app, [script, style]);
  app.get('/mailbox', async (request, reply) => {
    if (!isLoopback(request.address)) return reply.callNotFound();
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html);
  });
}

const isLoopback = (address: string): boolean => /^(::1$|(::ffff:)?127\.)/i.test(address);
