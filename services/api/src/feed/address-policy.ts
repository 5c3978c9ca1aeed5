import { BlockList, isIP } from 'node:net';

/** Says whether a feed may be fetched from an IP address. */
export type AddressPolicy = (address: string) => boolean;

/**
 * The addresses of the IANA special-purpose registries (RFC 6890 and its successors) that are no place on the Internet.
 * A list of what is allowed would be better; in IPv4 that is what is left.
 */
const NOT_PUBLIC_V4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** All that is assigned to the Internet, */
const GLOBAL_V6 = blockList('ipv6', ['2000::/3']);
/** without documentation and benchmarks, and what holds an IPv4 address inside (Teredo, 6to4). */
const NOT_PUBLIC_V6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

const PRIVATE_V4 = blockList('ipv4', ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']);
const PRIVATE_V6 = blockList('ipv6', ['::1/128', 'fc00::/7']);

/** Where clouds answer with their credentials; those of 169.254.0.0/16 are in no list that allows anything. */
const METADATA_V6 = blockList('ipv6', ['fd00:ec2::/32', 'fd20:ce::/32']);

/** Only addresses of the Internet. With `allowPrivate` also loopback and private networks, but never link-local ones. */
export function createAddressPolicy({ allowPrivate }: { readonly allowPrivate: boolean }): AddressPolicy {
  const mayV4 = (address: string) =>
    !NOT_PUBLIC_V4.check(address, 'ipv4') || (allowPrivate && PRIVATE_V4.check(address, 'ipv4'));
  const mayV6 = (address: string) => {
    if (GLOBAL_V6.check(address, 'ipv6')) return !NOT_PUBLIC_V6.check(address, 'ipv6');
    return allowPrivate && PRIVATE_V6.check(address, 'ipv6') && !METADATA_V6.check(address, 'ipv6');
  };
  return (address) => {
    switch (isIP(address)) {
      case 4:
        return mayV4(address);
      case 6:
        return mayV6(address);
      default:
        return false;
    }
  };
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
