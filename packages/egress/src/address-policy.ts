import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Says whether a request to `host` (a name, or an address without brackets) may go to an IP address. */
export type AddressPolicy = (address: string, host?: string) => boolean;

/**
 * Says whether a request to `host` may use plain http. `addresses`: all that the name resolves to; none while they are not known, as behind a proxy.
 */
export type HttpPolicy = (host: string, addresses: readonly string[]) => boolean;

/** What an operator allows beside the Internet. */
export interface AddressRules {
  /** Loopback and private networks, and http everywhere. */
  readonly allowPrivate: boolean;
  /** Host names, names such as `*.internal.example`, addresses and networks (OUTBOUND_ALLOW, FEED_ALLOW). */
  readonly allow?: readonly string[];
}

/** What an operator allows for messages and replies. */
export function outboundRules(config: {
  readonly OUTBOUND_PRIVATE_NETWORKS: boolean;
  readonly OUTBOUND_ALLOW: readonly string[];
}): AddressRules {
  return { allowPrivate: config.OUTBOUND_PRIVATE_NETWORKS, allow: config.OUTBOUND_ALLOW };
}

/** What an operator allows for calendar feeds, which may use http in any case. */
export function feedRules(config: {
  readonly FEED_PRIVATE_NETWORKS: boolean;
  readonly FEED_ALLOW: readonly string[];
}): AddressRules {
  return { allowPrivate: config.FEED_PRIVATE_NETWORKS, allow: config.FEED_ALLOW };
}

/** The IPv6 addresses that IANA has assigned to the Internet. The library calls the unassigned ones unicast too. */
const GLOBAL_V6 = subnet('2000::/3');

/**
 * Public ranges that lead to services of the cloud around a machine, and nowhere else: the platform of Azure, and the service endpoints of
 * IBM Cloud. And the metadata of Alibaba Cloud, which is in a range that operators allow for Tailscale.
 */
const OF_CLOUDS = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14', '100.100.100.200/32'].map((cidr) =>
  ipaddr.IPv4.parseCIDR(cidr),
);

/** Clouds serve credentials at these addresses: AWS, Google, Oracle, Scaleway, Linode. 169.254.169.254 is link-local, which is never allowed. */
const METADATA_V6 = [
  ...['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'],
  'fd00:a9fe:a9fe::1/128',
].map(subnet);

const PRIVATE_V4: readonly string[] = ['private', 'loopback'];
const PRIVATE_V6: readonly string[] = ['uniqueLocal', 'loopback'];
/** Ranges that no entry of `allow` opens. Another way to write an IPv4 address is none that a receiver needs. */
const NEVER: readonly string[] = [
  ...['unspecified', 'broadcast', 'multicast', 'linkLocal'],
  ...['ipv4Mapped', 'rfc6145', 'rfc6052', '6to4', 'teredo'],
];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Allows the addresses of the Internet, without the special-purpose ones of RFC 6890 and its successors. With
 * `allowPrivate` it also allows loopback and private networks. A name in `allow` may resolve to any address and a network in it may be the
 * target of any name; but never to link-local and multicast addresses, and those where clouds serve credentials.
 */
export function createAddressPolicy({ allowPrivate, allow = [] }: AddressRules): AddressPolicy {
  const listed = readAllowed(allow);
  return (text, host = text) => {
    const address = parseAddress(text);
    if (address === undefined) return false;
    const range = address.range();
    if (NEVER.includes(range) || isOfCloud(address)) return false;
    if (listed.hasName(host) || listed.hasAddress(address)) return true;
    if (range === 'unicast') return address.kind() === 'ipv4' || address.match(GLOBAL_V6);
    return allowPrivate && (address.kind() === 'ipv4' ? PRIVATE_V4 : PRIVATE_V6).includes(range);
  };
}

/** Allows http for names in `allow`, for hosts whose addresses are all in networks of it, and for all hosts with `allowPrivate`. */
export function createHttpPolicy({ allowPrivate, allow = [] }: AddressRules): HttpPolicy {
  const listed = readAllowed(allow);
  const isListed = (text: string) => {
    const address = parseAddress(text);
    return address !== undefined && listed.hasAddress(address);
  };
  return (host, addresses) =>
    allowPrivate || listed.hasName(host) || (addresses.length > 0 && addresses.every(isListed));
}

/** Returns what is wrong with an entry of `allow`; undefined for a good one. */
export function wrongAllowed(entry: string): string | undefined {
  if (
    /^(?:\*\.)?(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/i.test(entry) &&
    !/(?:^|\.)\d+$/.test(entry)
  )
    return undefined;
  const range = isIP(entry) === 0 ? entry : `${entry}/${isIP(entry) === 4 ? 32 : 128}`;
  if (!ipaddr.isValidCIDR(range)) return 'is no host name, address or network such as 10.2.0.0/16';
  const [first] = ipaddr.parseCIDR(range);
  return NEVER.includes(first.range()) || isOfCloud(first)
    ? 'is in a range that is never allowed (link-local, multicast or the metadata of a cloud)'
    : undefined;
}

function readAllowed(entries: readonly string[]) {
  const [names, networks] = [new Set<string>(), [] as [Address, number][]];
  for (const entry of entries) {
    if (isIP(entry) !== 0) networks.push([ipaddr.parse(entry), isIP(entry) === 4 ? 32 : 128]);
    else if (entry.includes('/')) networks.push(ipaddr.parseCIDR(entry));
    else names.add(entry.toLowerCase());
  }
  return {
    hasName(host: string): boolean {
      const name = host.toLowerCase().replace(/\.$/, '');
      const parents = [...name.matchAll(/\./g)].map(({ index }) => `*${name.slice(index)}`);
      return names.has(name) || parents.some((parent) => names.has(parent));
    },
    hasAddress: (address: Address): boolean =>
      networks.some((network) => network[0].kind() === address.kind() && address.match(network)),
  };
}

/** An address with a zone is one of a link. */
function parseAddress(text: string): Address | undefined {
  return isIP(text) !== 0 && !text.includes('%') ? ipaddr.parse(text) : undefined;
}

function isOfCloud(address: Address): boolean {
  const ranges = address.kind() === 'ipv4' ? OF_CLOUDS : METADATA_V6;
  return ranges.some((range) => address.match(range as [Address, number]));
}

function subnet(cidr: string): [ipaddr.IPv6, number] {
  return ipaddr.IPv6.parseCIDR(cidr);
}
