import { expect, test } from '@jest/globals';
import { memberCookie } from './session-cookie.ts';

const production = memberCookie({ isProduction: true, PUBLIC_URL: 'https://loyalty.example.com/' });
const local = memberCookie({ isProduction: false });
const own = { 'sec-fetch-site': 'same-origin' };

test('in production the cookie is of one host, goes over HTTPS only and is out of reach of scripts', () => {
  const expiresAt = new Date('2026-04-01T09:30:00Z');
  expect(production.keep('a.token', expiresAt)).toBe(
    '__Host-loyalty-member=a.token; Expires=Wed, 01 Apr 2026 09:30:00 GMT; ' +
      'Path=/; HttpOnly; SameSite=Strict; Secure',
  );
  expect(production.clear).toBe(
    '__Host-loyalty-member=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
  );
});

test('over plain HTTP it has neither Secure nor the name that needs it', () => {
  expect(local.clear).toBe('loyalty-member=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
});

test('it is found among others by its whole name', () => {
  const read = (cookie: string) => production.read({ ...own, cookie });
  expect(read('a=b; __Host-loyalty-member=t; c=d')).toBe('t');
  for (const cookie of ['x__Host-loyalty-member=t', '__Host-loyalty-member=', 'loyalty-member=t', ''])
    expect(read(cookie)).toBeNull();
});

test.each([
  ['a page of the public address', { origin: 'https://loyalty.example.com' }, true],
  ['a page that the browser calls ours', own, true],
  ['a page of another port', { origin: 'https://loyalty.example.com:8443' }, false],
  ['a page over HTTP', { origin: 'http://loyalty.example.com' }, false],
  ['the host that is asked, but not the public address', { origin: 'https://inner', host: 'inner' }, false],
  [
    'a foreign page with our Origin, which the browser knows',
    { 'sec-fetch-site': 'cross-site', origin: 'https://loyalty.example.com' },
    false,
  ],
  ['nobody who says from where', {}, false],
])('the request of %s', (_, headers, counts) => {
  const cookie = '__Host-loyalty-member=t';
  expect(production.read({ ...headers, cookie })).toBe(counts ? 't' : null);
  expect(production.isOwnPage(headers)).toBe(counts);
});
