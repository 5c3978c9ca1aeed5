import { isIP } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** An IPv4 address in hexadecimal. */
const MAPPED_GROUPS = '0:0:0:0:0:ffff';

/** An IPv4 address or one in brackets with a port, as some proxies write it. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]*)\]):\d+$/;

/**
 * The address for limits: an IPv4 address, or the network of an IPv6 address with this many bits. One customer of a provider
 * usually has a /64, but may have a /48. express-rate-limit does the same. Text that is no address is `unknown`: with a wrong
 * TRUST_PROXY the client chooses it, and each text would be another key in Redis.
 */
export function limitedAddress(address: string | undefined, bits: 64 | 48 = 64): string {
  const [, v4, v6] = WITH_PORT.exec(address ?? '') ?? [];
  const bare = v4 ?? v6 ?? address ?? '';
  const mapped = MAPPED_IPV4.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  switch (isIP(bare)) {
    case 4:
      return bare;
    case 6: {
      const groups = groupsOf(bare);
      if (groups.slice(0, 6).join(':') === MAPPED_GROUPS) return dotted(groups.slice(6));
      return `${groups.slice(0, bits / 16).join(':')}::/${bits}`;
    }
    default:
      return 'unknown';
  }
}

function dotted(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.');
}

function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}
