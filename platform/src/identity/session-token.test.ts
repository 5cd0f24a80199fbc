import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { fixedClock, SECOND_MS } from '../base/clock.ts';
import { deriveSecret } from '../crypto/keyring.ts';
import { type SessionClaims, signSession, USER_SESSION_SECONDS, verifySession } from './session-token.ts';

const masterKey = (id: string) => ({ id, key: randomBytes(32) });
const keys = [masterKey('new'), masterKey('old')];
const at = '2026-03-02T10:00:00.000Z';
const claims: SessionClaims = {
  audience: 'user',
  subject: randomUUID(),
  workspaceId: randomUUID(),
  mode: 'LIVE',
  sessionId: randomUUID(),
  version: 3,
  authenticatedAt: new Date(at),
};

describe('session tokens', () => {
  test('a session says what was signed, and when it ends', async () => {
    const clock = fixedClock(at);
    const { token, expiresAt } = await signSession(keys, claims, USER_SESSION_SECONDS, clock);
    expect(expiresAt).toEqual(new Date('2026-03-02T11:00:00.000Z'));
    expect(await verifySession(keys, token, clock)).toEqual({ ...claims, expiresAt });
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', kid: 'new' });
    expect(decodeJwt(token)).not.toHaveProperty('role');
  });

  test('a session ends when its time is up', async () => {
    const clock = fixedClock(at);
    const { token } = await signSession(keys, claims, 60, clock);
    clock.advance(61 * SECOND_MS);
    await expect(verifySession(keys, token, clock)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
  });

  test('a session of a former master key is still accepted, of a foreign one never', async () => {
    const clock = fixedClock(at);
    const former = await signSession([keys[1]!], claims, 60, clock);
    expect((await verifySession(keys, former.token, clock)).subject).toBe(claims.subject);
    const foreign = await signSession([masterKey('new')], claims, 60, clock);
    await expect(verifySession(keys, foreign.token, clock)).rejects.toMatchObject({
      code: 'CREDENTIAL_INVALID',
    });
  });

  test.each([
    ['another algorithm', (secret: Uint8Array) => token('HS256', secret, 'loyalty-platform', 'user')],
    [
      'the token between gateway and subgraph',
      (secret: Uint8Array) => token('HS256', secret, 'loyalty-gateway', 'loyalty-subgraph'),
    ],
    ['no token at all', async () => 'abc.def'],
  ])('%s is refused', async (_, make) => {
    const forged = await make(deriveSecret(keys, 'session')[0]!.secret);
    await expect(verifySession(keys, forged, fixedClock(at))).rejects.toMatchObject({
      category: 'UNAUTHENTICATED',
      code: 'CREDENTIAL_INVALID',
    });
  });

  test('a session for another audience is refused', async () => {
    const clock = fixedClock(at);
    const { token: other } = await signSession(keys, { ...claims, audience: 'robot' as 'user' }, 60, clock);
    await expect(verifySession(keys, other, clock)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });

  test('a token with one character changed is refused', async () => {
    const clock = fixedClock(at);
    const { token: good } = await signSession(keys, claims, 60, clock);
    const middle = good.indexOf('.') + 20;
    const changed = good.slice(0, middle) + (good[middle] === 'A' ? 'B' : 'A') + good.slice(middle + 1);
    await expect(verifySession(keys, changed, clock)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });
});

function token(alg: string, secret: Uint8Array, issuer: string, audience: string): Promise<string> {
  return new SignJWT({ workspaceId: claims.workspaceId, mode: 'LIVE', tokenVersion: 3, auth_time: 0 })
    .setProtectedHeader({ alg, kid: 'new' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(claims.subject)
    .setExpirationTime(new Date('2026-03-02T11:00:00.000Z'))
    .sign(secret);
}
