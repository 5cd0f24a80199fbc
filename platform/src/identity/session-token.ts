import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Mode } from '../base/caller.ts';
import { type Clock, SECOND_MS } from '../base/clock.ts';
import { unauthenticated } from '../base/errors.ts';
import { deriveSecret, type MasterKey } from '../crypto/keyring.ts';

const ISSUER = 'loyalty-platform';
const ALGORITHM = 'EdDSA';

/** Lifetime of a user's session: 1 hour; it is refreshed while the user works. */
export const USER_SESSION_SECONDS = 3_600;
/** Lifetime of a member's session: 30 days. */
export const MEMBER_SESSION_SECONDS = 30 * 86_400;
/** Lifetime of the token with which a run of an agent calls tools: 10 minutes; each call gets a new one. */
export const AGENT_SESSION_SECONDS = 600;

/**
 * Content of a session token. The role is not included, because the owner's rights are looked up at every
 * use.
 */
export interface SessionClaims {
  readonly audience: 'user' | 'member' | 'agent';
  /** Id of the account, of the member, or of the API key with which an agent acts. */
  readonly subject: string;
  readonly workspaceId: string;
  readonly mode: Mode;
  /** Token version of the owner; a session with an older version has ended. */
  readonly version: number;
  /** Time of the owner's last authentication, in whole seconds. */
  readonly authenticatedAt: Date;
  /** For users and members: id by which a single session is ended. For agents: id of the run. */
  readonly sessionId: string;
}

/** A signed session, in the form of the graph's `Session`. */
export interface SignedSession {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Signs a session with the Ed25519 key of the current master key.
 *
 * @param lifetimeSeconds - at most USER_SESSION_SECONDS or MEMBER_SESSION_SECONDS
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
 * Verifies signature, issuer, audience and time of a session token and returns its content. The caller must
 * still compare `version` with the owner's.
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

/** PKCS #8 prefix for the 32 bytes of an Ed25519 seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

const cache = new WeakMap<readonly MasterKey[], ReadonlyMap<string, KeyPair>>();

/** Derives one key pair per master key, the current one first. */
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
