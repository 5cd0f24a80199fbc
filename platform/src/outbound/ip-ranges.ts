import { BlockList, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

// Azure serves instance metadata and DNS from a public address; no customer can own it.
const metadata = new BlockList();
metadata.addAddress('168.63.129.16');

/**
 * Returns whether an IP address belongs to the public internet. It must not be private, loopback, link-local
 * (where clouds serve metadata), carrier-grade NAT, multicast, documentation or reserved, nor an IPv6 form
 * that carries an IPv4 address through a translator (NAT64, 6to4, Teredo).
 *
 * @param address - in the form of a socket or a DNS answer; any other text is not public
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicIPv4(address);
  // A zone (fe80::1%eth0) only exists for addresses that are not public.
  if (!isIPv6(address) || address.includes('%')) return false;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return isPublicIPv4(parsed.toIPv4Address().toString());
  // Only 2000::/3 is assigned as global unicast; within it, ipaddr.js recognizes the special ranges.
  const isGlobalUnicast = (parsed.parts[0]! & 0xe000) === 0x2000;
  return isGlobalUnicast && parsed.range() === 'unicast';
}

function isPublicIPv4(address: string): boolean {
  return ipaddr.IPv4.parse(address).range() === 'unicast' && !metadata.check(address);
}

/** Returns whether a host name can only mean this machine or this network. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || /\.(localhost|local|internal|intranet|lan|home\.arpa)$/.test(name);
}

/** Returns the parsed address, or its IPv4 address if it carries one; null for other text. */
function parsedAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [bare = ''] = address.split('%');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

/** Returns whether an address means this machine. */
export const isLoopbackAddress = (address: string): boolean => parsedAddress(address)?.range() === 'loopback';

/**
 * Returns the key by which limits count an address: the IPv4 address, or the /64 of an IPv6 address, because
 * the owner of one of its addresses has all of them. Other text is returned unchanged.
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
