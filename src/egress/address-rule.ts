import { BlockList, isIP } from 'node:net';

/**
 * Addresses that outgoing requests must not reach: IANA's special-purpose registries (iana.org/assignments/
 * iana-ipv4-special-registry and iana-ipv6-special-registry, read November 2026), including ranges marked
 * "globally reachable", plus multicast.
 */
const SPECIAL_V4: readonly (readonly [range: string, bits: number, why: string])[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by carriers; also a cloud metadata service'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'a cloud host service on an address that looks public; in no registry'],
  ['169.254.0.0', 16, 'link-local; cloud metadata'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments; also a cloud metadata service'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'multicast tunnels'],
  ['192.88.99.0', 24, '6to4 relays'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved, broadcast'],
];

/** Only 2000::/3 is assigned for public use; the first three ranges are the rest of IPv6. */
const SPECIAL_V6: readonly (readonly [range: string, bits: number, why: string])[] = [
  ['::', 3, 'loopback, IPv4 in IPv6, NAT64, discard'],
  ['4000::', 2, 'unassigned'],
  ['8000::', 1, 'unassigned, local, link-local, multicast'],
  ['2001::', 23, 'protocol assignments, Teredo'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4, which holds an IPv4 address'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
];

const SPECIAL = addressRanges([...SPECIAL_V4, ...SPECIAL_V6].map(([range, bits]) => `${range}/${bits}`));

/** Allowed ports, with all from FIRST_OPEN_PORT. Other ports belong to services such as mail or SSH. */
const USUAL_PORTS = new Set([80, 443, 8080, 8443]);
const FIRST_OPEN_PORT = 1024;

/** Which addresses a client may connect to. */
export interface AddressRule {
  readonly mayConnect: (address: string, port: number) => boolean;
  /** Whether any address is allowed on this port. If not, the host name need not be resolved. */
  readonly mayUsePort: (port: number) => boolean;
}

/** Allows public addresses on usual ports, and the ranges that the operator allowed for this client on any port. */
export function addressRule(allowCidrs: readonly string[]): AddressRule {
  const allowed = addressRanges(allowCidrs);
  const isUsual = (port: number): boolean => USUAL_PORTS.has(port) || port >= FIRST_OPEN_PORT;
  return {
    mayConnect: (address, port) => isIn(allowed, address) || (isUsual(port) && isPublicAddress(address)),
    mayUsePort: (port) => isUsual(port) || allowCidrs.length > 0,
  };
}

/** Whether the text is a public IP address. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isIn(SPECIAL, address);
}

/** One list per address family: a combined list treats IPv4 as IPv4-mapped IPv6, which ::/3 contains. */
interface AddressRanges {
  readonly v4: BlockList;
  readonly v6: BlockList;
}

function isIn({ v4, v6 }: AddressRanges, address: string): boolean {
  const family = isIP(address);
  if (family === 4) return v4.check(address, 'ipv4');
  return family === 6 && v6.check(address, 'ipv6');
}

function addressRanges(cidrs: readonly string[]): AddressRanges {
  const ranges = { v4: new BlockList(), v6: new BlockList() };
  for (const cidr of cidrs) {
    const [range, bits] = cidr.split('/');
    if (isIP(range) === 4) ranges.v4.addSubnet(range, Number(bits ?? 32), 'ipv4');
    else ranges.v6.addSubnet(range, Number(bits ?? 128), 'ipv6');
  }
  return ranges;
}
