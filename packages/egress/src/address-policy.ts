import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Says whether a request may go to an IP address. */
export type AddressPolicy = (address: string) => boolean;

/** The IPv6 addresses that IANA has assigned to the Internet. The library calls the unassigned ones unicast too. */
const GLOBAL_V6 = subnet('2000::/3');

/**
 * Public ranges that lead to services of the cloud around a machine, and nowhere else: the platform of Azure, and the service endpoints of
 * IBM Cloud.
 */
const OF_CLOUDS = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((cidr) =>
  ipaddr.IPv4.parseCIDR(cidr),
);

/** Clouds serve credentials at these addresses: AWS, Google, Oracle, Scaleway, Linode. 169.254.169.254 is link-local, which is never allowed. */
const METADATA_V6 = [
  ...['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'],
  'fd00:a9fe:a9fe::1/128',
].map(subnet);

const PRIVATE_V4: readonly string[] = ['private', 'loopback'];
const PRIVATE_V6: readonly string[] = ['uniqueLocal', 'loopback'];

/**
 * Allows the addresses of the Internet, without the special-purpose ones of RFC 6890 and its successors. With
 * `allowPrivate` it also allows loopback and private networks, but never link-local ones.
 */
export function createAddressPolicy({ allowPrivate }: { readonly allowPrivate: boolean }): AddressPolicy {
  return (text) => {
    switch (isIP(text)) {
      case 4: {
        const address = ipaddr.IPv4.parse(text);
        const range = address.range();
        if (range === 'unicast') return !OF_CLOUDS.some((of) => address.match(of));
        return allowPrivate && PRIVATE_V4.includes(range);
      }
      case 6: {
        if (!ipaddr.IPv6.isValid(text)) return false;
        const address = ipaddr.IPv6.parse(text);
        const range = address.range();
        if (range === 'unicast') return address.match(GLOBAL_V6);
        return allowPrivate && PRIVATE_V6.includes(range) && !METADATA_V6.some((of) => address.match(of));
      }
      default:
        return false;
    }
  };
}

function subnet(cidr: string): [ipaddr.IPv6, number] {
  return ipaddr.IPv6.parseCIDR(cidr);
}
