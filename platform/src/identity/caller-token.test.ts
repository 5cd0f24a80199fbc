import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { anonymous, type Caller, systemCaller } from '../base/caller.ts';
import {
  signAddress,
  signCaller,
  signScoreRequest,
  signSocket,
  verifyAddress,
  verifyCaller,
  verifyScoreRequest,
  verifySocket,
} from './caller-token.ts';

const secrets = new Map([
  ['new', randomBytes(32)],
  ['old', randomBytes(32)],
]);
const caller: Caller = {
  ...anonymous,
  kind: 'KEY',
  workspaceId: '019cadfd-8900-713f-9842-bfb3da1c5e4a',
  actor: 'key:1',
  scopes: ['members:read'],
};

const signed = { caller, address: '192.0.2.1' };

/** Makes a token like the gateway's, with the given changes. */
function forge(change: {
  alg?: string;
  kid?: string;
  issuer?: string;
  audience?: string;
  expires?: string;
  secret?: Uint8Array;
}) {
  return new SignJWT({ ...signed })
    .setProtectedHeader({ alg: change.alg ?? 'HS256', kid: change.kid ?? 'new' })
    .setIssuer(change.issuer ?? 'loyalty-gateway')
    .setAudience(change.audience ?? 'loyalty-subgraph')
    .setExpirationTime(change.expires ?? '60s')
    .sign(change.secret ?? secrets.get('new')!);
}

describe('a caller between processes', () => {
  test.each([caller, anonymous, systemCaller('test')])('arrives as it was sent: $actor', async (sent) => {
    for (const address of [null, '192.0.2.1', '2001:db8::1']) {
      const token = await signCaller({ caller: sent, address }, secrets);
      expect(await verifyCaller(token, secrets)).toEqual({ caller: sent, address });
    }
  });

  test('is signed for 60 seconds', async () => {
    const { iat, exp } = decodeJwt(await signCaller(signed, secrets));
    expect(exp! - iat!).toBe(60);
  });

  test('is still believed while the key that signed is being replaced', async () => {
    const before = new Map([['old', secrets.get('old')!]]);
    expect(await verifyCaller(await signCaller(signed, before), secrets)).toEqual(signed);
  });

  test('is believed when nothing about the token is changed', async () => {
    expect(await verifyCaller(await forge({}), secrets)).toEqual(signed);
  });

  test.each([
    ['signed with a secret of somebody else', { secret: randomBytes(32) }],
    ['naming a secret that is not known', { kid: 'unknown' }],
    ['naming another secret than it was signed with', { kid: 'old' }],
    ['of another issuer', { issuer: 'somebody' }],
    ['for another audience', { audience: 'back-office' }],
    ['that has expired', { expires: '-1s' }],
    ['signed with another algorithm', { alg: 'HS512' }],
  ])('is refused with a token %s', async (_, change) => {
    const refusal = { category: 'UNAUTHENTICATED', code: 'CALLER_REFUSED' };
    await expect(verifyCaller(await forge(change), secrets)).rejects.toMatchObject(refusal);
  });

  test('is refused without a token, with an unsigned one and with an altered one', async () => {
    const [, payload, signature] = (await signCaller(signed, secrets)).split('.');
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const altered = encode({ ...decodeJwt(await forge({})), caller: { ...caller, scopes: ['*'] } });
    const header = encode({ alg: 'HS256', kid: 'new' });
    const tokens = [
      undefined,
      '',
      'x',
      `${encode({ alg: 'none' })}.${payload}.`,
      `${header}.${altered}.${signature}`,
    ];
    for (const token of tokens) {
      await expect(verifyCaller(token, secrets)).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
    }
  });
});

describe('the proof that the gateway opens a socket', () => {
  test('is believed for 60 seconds', async () => {
    const token = await signSocket(secrets);
    await expect(verifySocket(token, secrets)).resolves.toBeUndefined();
    const { iat, exp } = decodeJwt(token);
    expect(exp! - iat!).toBe(60);
  });

  test.each([
    ['the token of one call', () => signCaller(signed, secrets)],
    ['one that has expired', () => forge({ audience: 'loyalty-subgraph-socket', expires: '-1s' })],
    [
      'one signed with a secret of somebody else',
      () => forge({ audience: 'loyalty-subgraph-socket', secret: randomBytes(32) }),
    ],
    ['nothing', async () => undefined],
  ])('is not %s', async (_, token) => {
    await expect(verifySocket(await token(), secrets)).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
  });

  test('signs no caller', async () => {
    await expect(verifyCaller(await signSocket(secrets), secrets)).rejects.toMatchObject({
      code: 'CALLER_REFUSED',
    });
  });
});

test('an address is believed as it was signed, and stands for nothing else', async () => {
  const token = await signAddress('203.0.113.7', secrets);
  expect(await verifyAddress(token, secrets)).toBe('203.0.113.7');
  const others = new Map([['new', randomBytes(32)]]);
  expect(await verifyAddress(await signAddress('203.0.113.7', others), secrets)).toBeNull();
  expect(await verifyAddress(await signCaller(signed, secrets), secrets)).toBeNull();
  expect(await verifyAddress('203.0.113.7', secrets)).toBeNull();
  await expect(verifyCaller(token, secrets)).rejects.toThrow();
  await expect(verifySocket(token, secrets)).rejects.toThrow();
});

test('a request for scores is believed for 60 seconds, and opens nothing else', async () => {
  const token = await signScoreRequest(secrets);
  await expect(verifyScoreRequest(token, secrets)).resolves.toBeUndefined();
  const expired = await forge({ audience: 'loyalty-scorer', expires: '-1s' });
  for (const other of [expired, await signSocket(secrets), await signCaller(signed, secrets), undefined]) {
    await expect(verifyScoreRequest(other, secrets)).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
  }
  await expect(verifyCaller(token, secrets)).rejects.toThrow();
  await expect(verifySocket(token, secrets)).rejects.toThrow();
});
