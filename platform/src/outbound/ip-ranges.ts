import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

// Azure answers instance metadata and DNS from a public address; no customer can own it.
const metadata = new BlockList();
metadata.addAddress('168.63.129.16');

/**
 * Tells whether an IP address belongs to the public internet: neither private, loopback, link-local
 * (where clouds serve metadata), carrier-grade NAT, multicast, documentation or reserved, nor an IPv6
 * form that carries an IPv4 address through a translator (NAT64, 6to4, Teredo).
 *
 * @param address - in the form in which a socket or a DNS answer gives it; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicIPv4(address);
  // A zone (fe80::1%eth0) only exists for addresses that are not public.
  if (!isIPv6(address) || address.includes('%')) return false;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return isPublicIPv4(parsed.toIPv4Address().toString());
  // Only 2000::/3 is handed out as global unicast; within it, ipaddr.js knows what is special.
  const isGlobalUnicast = (parsed.parts[0]! & 0xe000) === 0x2000;
  return isGlobalUnicast && parsed.range() === 'unicast';
}

function isPublicIPv4(address: string): boolean {
  return ipaddr.IPv4.parse(address).range() === 'unicast' && !metadata.check(address);
}

/** Tells whether a host name is one that can only mean this machine or this network. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || /\.(localhost|local|internal|intranet|lan|home\.arpa)$/.test(name);
}

/** The address itself, or its IPv4 address where it carries one; null for anything else. */
function parsedAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [bare = ''] = address.split('%');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

/** Tells whether an address means this very machine. */
export const isLoopbackAddress = (address: string): boolean => parsedAddress(address)?.range() === 'loopback';

/**
 * What limits count an address by: an IPv4 address, or the /64 of an IPv6 address, since whoever has one of
 * its addresses has all. What is no address stands for itself.
 */
export function networkOf(address: string): string {
  const parsed = parsedAddress(address);
  if (parsed?.kind() !== 'ipv6') return parsed?.toString() ?? address;
  const { parts } = parsed as ipaddr.IPv6;
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
