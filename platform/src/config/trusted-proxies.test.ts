import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { clientAddress, readTrustedProxies, type TrustedProxies } from './trusted-proxies.ts';

const addressOf = (proxies: TrustedProxies, remoteAddress: string, forwarded?: string): string =>
  clientAddress(proxies)({
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

const FORGED = '198.51.100.66';

test.each<[TrustedProxies, string, string | undefined, string]>([
  [0, '10.0.0.1', FORGED, '10.0.0.1'],
  [1, '10.0.0.1', undefined, '10.0.0.1'],
  [1, '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  [1, '10.0.0.1', `${FORGED}, 203.0.113.7`, '203.0.113.7'],
  [1, '10.0.0.1', `${FORGED}, ${FORGED},203.0.113.7`, '203.0.113.7'],
  [2, '10.0.0.1', `${FORGED}, 203.0.113.7, 10.0.0.2`, '203.0.113.7'],
  [1, '10.0.0.1', `${FORGED}, unknown`, '10.0.0.1'],
  [1, '10.0.0.1', `${FORGED}, `, '10.0.0.1'],
  [1, '10.0.0.1', `${'x'.repeat(10_000)}`, '10.0.0.1'],
  [['10.0.0.0/8'], '10.0.0.1', `${FORGED}, 203.0.113.7`, '203.0.113.7'],
  [['10.0.0.0/8'], '10.0.0.1', `${FORGED}, 203.0.113.7, 10.9.9.9`, '203.0.113.7'],
  [['10.0.0.0/8'], '192.0.2.1', `${FORGED}`, '192.0.2.1'],
  [['192.0.2.1'], '192.0.2.1', '203.0.113.7', '203.0.113.7'],
  [['127.0.0.0/8', '::1/128'], '::1', `${FORGED}, 2001:db8::7`, '2001:db8::7'],
  [['127.0.0.0/8'], '::ffff:127.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
  [0, '::ffff:203.0.113.7', undefined, '203.0.113.7'],
])('behind %j, a call from %s with %j comes from %s', (proxies, remote, forwarded, address) => {
  expect(addressOf(proxies, remote, forwarded)).toBe(address);
});

test.each<[string, TrustedProxies | null]>([
  ['0', 0],
  ['2', 2],
  ['11', null],
  ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['true', null],
  ['all', null],
  ['0.0.0.0/0', null],
  ['::/0', null],
  ['10.0.0.0/33', null],
  ['10.0.0.0/8,', null],
])('the setting %j means %j', (text, proxies) => {
  expect(readTrustedProxies(text)).toEqual(proxies);
});
