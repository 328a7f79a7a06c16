import { BlockList, isIP, isIPv6 } from 'node:net';

// Where notices may go. A stranger names the address, so it must never lead into the agent's own network.

const notPublic = new BlockList();
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
// IANA's special-purpose registries.
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4');
}
// Within 2000::/3: protocol assignments (Teredo among them), documentation, 6to4.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}

/**
 * Whether it is an address of the public internet. IPv6 only as global unicast: every form that holds an IPv4 address
 * (mapped, translated, 6to4) is not.
 */
export function isPublicAddress(address: string): boolean {
  // A zone would name a network interface.
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (!isIPv6(address)) return !notPublic.check(address, 'ipv4');
  return publicV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Where notices may be delivered: to the public internet, and for a local chain also to this machine. */
export const isDeliverable = (isLocal: boolean) => (address: string) =>
  isPublicAddress(address) || (isLocal && /^(127\.|::1$)/.test(address));

/** Names that no public name server knows. */
const privateName = /\.(local|localhost|internal|lan|home|test|invalid)$/i;

/** Whether strangers can reach a URL, as far as its text tells. */
export function isPublicUrl(text: string): boolean {
  const host = URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (isIP(host) !== 0) return isPublicAddress(host);
  return /\.[a-z][a-z0-9-]*$/i.test(host) && !privateName.test(host);
}

const MAX_URL = 500;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether notices may be sent to this URL, as far as its text tells: https without credentials and fragment, spelled as
 * a browser spells it. What its host resolves to is checked at each delivery.
 * @param allowLoopback also accepts http to this machine: for local chains.
 */
export function isWebhookUrl(text: string, allowLoopback: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_URL || url.href !== text) return false;
  if (url.username !== '' || url.password !== '' || text.includes('#')) return false;
  if (allowLoopback && url.protocol === 'http:') return loopback.test(url.hostname);
  return url.protocol === 'https:';
}
