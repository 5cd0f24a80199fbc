import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Proxies whose X-Forwarded-For is trusted: their number in front of the product, or their networks. */
export type TrustedProxies = number | readonly string[];

/** Names for networks, as in the settings of other proxies. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Maximum length of a chain of proxies; a longer one is a mistake. */
const HOPS_MAX = 10;

/** Parses the setting: `1`, or `10.0.0.0/8, loopback`. Returns null if it is neither. */
export function readTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d+$/.test(text)) return Number(text) <= HOPS_MAX ? Number(text) : null;
  const networks = text.split(',').flatMap((part) => named[part.trim()] ?? [part.trim()]);
  return networks.every(isNetwork) ? networks : null;
}

/** The whole internet is not allowed, because then every client would be trusted. */
const isNetwork = (network: string): boolean =>
  ipaddr.isValid(network) || (ipaddr.isValidCIDR(network) && !network.endsWith('/0'));

/**
 * Returns the address of the client of a request. X-Forwarded-For is read from its end, where the nearest
 * proxy wrote, and only as far as the proxies are trusted. So an entry that the client wrote is never used.
 */
export function clientAddress(proxies: TrustedProxies): (request: IncomingMessage) => string {
  const isTrusted = typeof proxies === 'number' ? (_: string, hop: number) => hop < proxies : within(proxies);
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? '') ?? 'unknown';
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; forwarded.length > 0 && isTrusted(address, hop); hop += 1) {
      const before = plainAddress(forwarded.pop()!.trim());
      if (!before) break;
      address = before;
    }
    return address;
  };
}

/** Normalizes an address; IPv4 over IPv6 becomes plain IPv4. Returns null for other text. */
const plainAddress = (text: string): string | null => (isIP(text) ? ipaddr.process(text).toString() : null);

function within(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((network) => {
    const address = ipaddr.isValid(network) ? ipaddr.process(network) : null;
    return address ? ([address, address.kind() === 'ipv4' ? 32 : 128] as const) : ipaddr.parseCIDR(network);
  });
  return (text) => {
    if (!isIP(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits));
  };
}
