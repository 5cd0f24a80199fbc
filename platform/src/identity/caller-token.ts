import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Caller } from '../base/caller.ts';
import { unauthenticated } from '../base/errors.ts';

const ISSUER = 'loyalty-gateway';
const AUDIENCE = 'loyalty-subgraph';
/**
 * Audience of tokens for sockets. A separate audience, so that the token of one call cannot open a socket,
 * which may act for every caller.
 */
const SOCKET_AUDIENCE = 'loyalty-subgraph-socket';

/** Audience of tokens with addresses: a REST adapter states the address of its client, but not the caller. */
const ADDRESS_AUDIENCE = 'loyalty-client-address';

/** Audience of tokens for the scorer. They name no caller, because the scorer has no data of its own. */
const SCORER_AUDIENCE = 'loyalty-scorer';

/** Header with the signed caller between processes. */
export const CALLER_HEADER = 'x-loyalty-caller';

/** Header with which a separate REST adapter passes on its client's address. */
export const ADDRESS_HEADER = 'x-loyalty-client-address';

/** One shared secret per master key id. The first signs, all verify, so that master keys can be rotated. */
export type SigningSecrets = ReadonlyMap<string, Uint8Array>;

/** The payload that the gateway signs. */
export interface SignedCaller {
  readonly caller: Caller;
  /** Network address of the client, used for limits. */
  readonly address: string | null;
}

/** Returns a JWT, valid for 60 seconds, that names the caller to a subgraph in another process. */
export const signCaller = (signed: SignedCaller, secrets: SigningSecrets): Promise<string> =>
  sign({ ...signed }, AUDIENCE, secrets);

/**
 * Verifies the token of the gateway and returns the caller.
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

/** Returns a JWT, valid for 60 seconds, with which the gateway opens a socket that may name any caller. */
export const signSocket = (secrets: SigningSecrets): Promise<string> => sign({}, SOCKET_AUDIENCE, secrets);

/** @throws AppError CALLER_REFUSED (401) unless `signSocket` made the token in the last 60 seconds */
export async function verifySocket(token: string | undefined, secrets: SigningSecrets): Promise<void> {
  await verify(token, SOCKET_AUDIENCE, secrets);
}

/** Returns a JWT, valid for 60 seconds, in which a separate REST adapter sends its client's address. */
export const signAddress = (address: string, secrets: SigningSecrets): Promise<string> =>
  sign({ address }, ADDRESS_AUDIENCE, secrets);

/** Returns the address in the adapter's token; null if the token is not valid. */
export async function verifyAddress(token: string, secrets: SigningSecrets): Promise<string | null> {
  try {
    return (await verify(token, ADDRESS_AUDIENCE, secrets))['address'] as string;
  } catch {
    return null;
  }
}

/** Returns a JWT, valid for 60 seconds, for requests of the product's processes to the scorer. */
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
