import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.ts';
import { clientAddress } from '../config/trusted-proxies.ts';
import { ADDRESS_HEADER, type SigningSecrets, signAddress, verifyAddress } from './caller-token.ts';
import { callerSecrets } from './subgraph-addresses.ts';

/** Time for which a signed address is reused; it is valid for 60 s. */
const KEPT_MS = 20_000;
const KEPT_MAX = 10_000;

/** Returns the header in which a separate REST adapter sends its client's address to the gateway. */
export function addressHeader(secrets: SigningSecrets): (address: string) => Promise<Record<string, string>> {
  const tokens = new LRUCache<string, Promise<string>>({ max: KEPT_MAX, ttl: KEPT_MS });
  return async (address) => {
    const token = tokens.get(address) ?? signAddress(address, secrets);
    if (!tokens.has(address)) tokens.set(address, token);
    return { [ADDRESS_HEADER]: await token };
  };
}

/** Reads the client's address: from the signed header of a REST adapter, otherwise from trusted proxies. */
export function addressReader(config: Config): (request: IncomingMessage) => Promise<string> {
  const addressOf = clientAddress(config.TRUST_PROXY);
  const secrets = callerSecrets(config);
  const verified = new LRUCache<string, string>({ max: KEPT_MAX, ttl: KEPT_MS });

  async function signedIn(token: string): Promise<string | null> {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const address = await verifyAddress(token, secrets);
    if (address !== null) verified.set(token, address);
    return address;
  }
  return async (request) => {
    const token = request.headers[ADDRESS_HEADER];
    return (typeof token === 'string' ? await signedIn(token) : null) ?? addressOf(request);
  };
}
