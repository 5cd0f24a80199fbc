import { jwtVerify, SignJWT } from 'jose';
import type { Caller } from './caller.ts';
import { unauthenticated } from './errors.ts';

const ISSUER = 'loyalty-gateway';
const AUDIENCE = 'loyalty-subgraph';

/** Header that carries the caller between processes. */
export const CALLER_HEADER = 'x-loyalty-caller';

/** One shared secret per master key id: the first signs, all verify, so that a master key can be changed. */
export type SigningSecrets = ReadonlyMap<string, Uint8Array>;

/** What the gateway vouches for. */
export interface Vouched {
  readonly caller: Caller;
  /** Network address of the client, for limits. */
  readonly address: string | null;
}

/** A JWT of 60 seconds that tells a subgraph in another process who calls. */
export function signCaller(vouched: Vouched, secrets: SigningSecrets): Promise<string> {
  const [kid, secret] = secrets.entries().next().value!;
  return new SignJWT({ ...vouched })
    .setProtectedHeader({ alg: 'HS256', kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(secret);
}

/**
 * The caller that the gateway vouches for.
 *
 * @throws AppError CALLER_REFUSED (401) for a missing, altered, expired or foreign token
 */
export async function verifyCaller(token: string | undefined, secrets: SigningSecrets): Promise<Vouched> {
  const refused = unauthenticated('CALLER_REFUSED', 'This address answers only the gateway.');
  if (!token) throw refused;
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const secret = secrets.get(kid ?? '');
        if (!secret) throw refused;
        return secret;
      },
      { algorithms: ['HS256'], issuer: ISSUER, audience: AUDIENCE },
    );
    return { caller: payload['caller'] as Caller, address: payload['address'] as string | null };
  } catch {
    throw refused;
  }
}
