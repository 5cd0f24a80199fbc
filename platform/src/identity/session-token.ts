import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Mode } from '../base/caller.ts';
import { type Clock, SECOND_MS } from '../base/clock.ts';
import { unauthenticated } from '../base/errors.ts';
import { deriveSecret, type MasterKey } from '../crypto/keyring.ts';

const ISSUER = 'loyalty-platform';
const ALGORITHM = 'EdDSA';

/** A user's session; it is refreshed while the user works. 1 hour. */
export const USER_SESSION_SECONDS = 3_600;
/** A member's session. 30 days. */
export const MEMBER_SESSION_SECONDS = 30 * 86_400;
/** What a run of an agent calls tools with; each call gets a new one. 10 minutes. */
export const AGENT_SESSION_SECONDS = 600;

/** What a session token says. A role is not part of it: what its owner may do is looked up at every use. */
export interface SessionClaims {
  readonly audience: 'user' | 'member' | 'agent';
  /** Id of the account, of the member, or of the API key that an agent acts with. */
  readonly subject: string;
  readonly workspaceId: string;
  readonly mode: Mode;
  /** The owner's token version; a session with an older one has ended. */
  readonly version: number;
  /** When the owner last proved who they are; whole seconds are kept. */
  readonly authenticatedAt: Date;
  /** By it a session of a user or a member is ended by itself. Of an agent: its run. */
  readonly sessionId: string;
}

/** A signed session, in the shape of the graph's `Session`. */
export interface SignedSession {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Signs a session with the current master key's Ed25519 key.
 *
 * @param lifetimeSeconds - USER_SESSION_SECONDS or MEMBER_SESSION_SECONDS at most
 */
export async function signSession(
  masterKeys: readonly MasterKey[],
  claims: SessionClaims,
  lifetimeSeconds: number,
  clock: Clock,
): Promise<SignedSession> {
  const [[kid, key]] = [...keysOf(masterKeys)] as [[string, KeyPair]];
  const issuedAt = toSeconds(clock.now());
  const expiresAt = issuedAt + Math.floor(lifetimeSeconds);
  const { workspaceId, mode, version, sessionId } = claims;
  const token = await new SignJWT({
    jti: sessionId,
    workspaceId,
    mode,
    tokenVersion: version,
    auth_time: toSeconds(claims.authenticatedAt),
  })
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(claims.audience)
    .setSubject(claims.subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key.privateKey);
  return { token, expiresAt: new Date(expiresAt * SECOND_MS) };
}

/**
 * What a session token says, once its signature, issuer, audience and time have been checked. `version` is
 * still to be compared with the owner's.
 *
 * @throws AppError CREDENTIAL_EXPIRED (401), CREDENTIAL_INVALID (401)
 */
export async function verifySession(
  masterKeys: readonly MasterKey[],
  token: string,
  clock: Clock,
): Promise<SessionClaims & { readonly expiresAt: Date }> {
  const keys = keysOf(masterKeys);
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.get(kid ?? '');
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key.publicKey;
      },
      {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: [...audiences],
        requiredClaims: ['sub', 'exp'],
        currentDate: clock.now(),
      },
    );
    const { aud, sub, exp, jti, auth_time, tokenVersion, workspaceId, mode } = claimsSchema.parse(payload);
    const authenticatedAt = new Date(auth_time * SECOND_MS);
    const expiresAt = new Date(exp * SECOND_MS);
    return {
      audience: aud,
      subject: sub,
      workspaceId,
      mode,
      version: tokenVersion,
      authenticatedAt,
      sessionId: jti,
      expiresAt,
    };
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw unauthenticated('CREDENTIAL_EXPIRED', 'The session has expired. Sign in again.');
    }
    throw unauthenticated('CREDENTIAL_INVALID', 'The session token is not valid. Sign in again.');
  }
}

const audiences = ['user', 'member', 'agent'] as const;

const claimsSchema = z.object({
  aud: z.enum(audiences),
  sub: z.uuid(),
  exp: z.number().int(),
  jti: z.uuid(),
  auth_time: z.number().int(),
  tokenVersion: z.number().int(),
  workspaceId: z.uuid(),
  mode: z.enum(['LIVE', 'TEST']),
});

const toSeconds = (at: Date): number => Math.floor(at.getTime() / SECOND_MS);

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** PKCS #8 around the 32 bytes of an Ed25519 seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

const cache = new WeakMap<readonly MasterKey[], ReadonlyMap<string, KeyPair>>();

/** One key pair per master key, the current first. */
function keysOf(masterKeys: readonly MasterKey[]): ReadonlyMap<string, KeyPair> {
  let pairs = cache.get(masterKeys);
  if (!pairs) {
    pairs = new Map(deriveSecret(masterKeys, 'session').map(({ id, secret }) => [id, keyPair(secret)]));
    cache.set(masterKeys, pairs);
  }
  return pairs;
}

function keyPair(seed: Uint8Array): KeyPair {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
