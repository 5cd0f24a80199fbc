import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Caller } from '../base/caller.ts';
import { unauthenticated } from '../base/errors.ts';

const ISSUER = 'loyalty-gateway';
const AUDIENCE = 'loyalty-subgraph';
/** Of sockets: with the token of one call nobody can act for every caller. */
const SOCKET_AUDIENCE = 'loyalty-subgraph-socket';

/** Of addresses: a REST adapter says from where its client calls, but not who it is. */
const ADDRESS_AUDIENCE = 'loyalty-client-address';

/** Of requests for scores: they name no caller, and the scorer has no data to give away. */
const SCORER_AUDIENCE = 'loyalty-scorer';

/** Header that carries the caller between processes. */
export const CALLER_HEADER = 'x-loyalty-caller';

/** Header in which a REST adapter in a process of its own passes its client's address on. */
export const ADDRESS_HEADER = 'x-loyalty-client-address';

/** One shared secret per master key id: the first signs, all verify, so that a master key can be changed. */
export type SigningSecrets = ReadonlyMap<string, Uint8Array>;

/** What the gateway signs. */
export interface SignedCaller {
  readonly caller: Caller;
  /** Network address of the client, for limits. */
  readonly address: string | null;
}

/** A JWT of 60 seconds that names the caller to a subgraph in another process. */
export const signCaller = (signed: SignedCaller, secrets: SigningSecrets): Promise<string> =>
  sign({ ...signed }, AUDIENCE, secrets);

/**
 * The caller that the gateway signed.
 *
 * @throws AppError CALLER_REFUSED (401) for a missing, altered, expired or foreign token
 */
export async function verifyCaller(
  token: string | undefined,
  secrets: SigningSecrets,
): Promise<SignedCaller> {
  const payload = await verify(token, AUDIENCE, secrets);
  return { caller: payload['caller'] as Caller, address: payload['address'] as string | null };
}

/** A JWT of 60 seconds with which the gateway opens a socket; on it, it may name any caller. */
export const signSocket = (secrets: SigningSecrets): Promise<string> => sign({}, SOCKET_AUDIENCE, secrets);

/** @throws AppError CALLER_REFUSED (401) unless `signSocket` made the token in the last 60 seconds */
export async function verifySocket(token: string | undefined, secrets: SigningSecrets): Promise<void> {
  await verify(token, SOCKET_AUDIENCE, secrets);
}

/** A JWT of 60 seconds in which a REST adapter in another process sends the address of its client. */
export const signAddress = (address: string, secrets: SigningSecrets): Promise<string> =>
  sign({ address }, ADDRESS_AUDIENCE, secrets);

/** The address that the adapter signed; null for what it did not sign. */
export async function verifyAddress(token: string, secrets: SigningSecrets): Promise<string | null> {
  try {
    return (await verify(token, ADDRESS_AUDIENCE, secrets))['address'] as string;
  } catch {
    return null;
  }
}

/** A JWT of 60 seconds with which a process of the product asks the scorer. */
export const signScoreRequest = (secrets: SigningSecrets): Promise<string> =>
  sign({}, SCORER_AUDIENCE, secrets);

/** @throws AppError CALLER_REFUSED (401) unless `signScoreRequest` made the token in the last 60 seconds */
export async function verifyScoreRequest(token: string | undefined, secrets: SigningSecrets): Promise<void> {
  await verify(token, SCORER_AUDIENCE, secrets);
}

function sign(payload: JWTPayload, audience: string, secrets: SigningSecrets): Promise<string> {
  const [kid, secret] = secrets.entries().next().value!;
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', kid })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(secret);
}

async function verify(
  token: string | undefined,
  audience: string,
  secrets: SigningSecrets,
): Promise<JWTPayload> {
  const refused = unauthenticated('CALLER_REFUSED', 'This address answers only the product itself.');
  if (!token) throw refused;
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const secret = secrets.get(kid ?? '');
        if (!secret) throw refused;
        return secret;
      },
      { algorithms: ['HS256'], issuer: ISSUER, audience },
    );
    return payload;
  } catch {
    throw refused;
  }
}
