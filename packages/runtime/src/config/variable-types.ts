import { isIP, isIPv4 } from 'node:net';
import { parsePlans } from '@sluice/contract/account/plans';
import { wrongAllowed } from '@sluice/egress/address-policy';
import * as z from 'zod';
import { hasSecondAt, isEncoded, parseRedisUrl } from './redis-address.ts';
import { parseSecretKey } from './secret-key.ts';

/** A port to listen on; 0 lets the system choose. */
export const port = () => whole(0, 65_535, 'a port number from 0 to 65535');

/** A whole number within bounds, written in decimal digits. */
export function whole(min: number, max: number, what = `a whole number from ${min} to ${max}`) {
  return z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    return refuse(context, text, `must be ${what}`);
  });
}

/** A switch. */
export function yesOrNo() {
  return z.enum(['true', 'false']).transform((text) => text === 'true');
}

/** A part of a whole, from 0 to 1. */
export function ratio() {
  return z.string().transform((text, context) => {
    const value = Number(text);
    if (/^[\d.]{1,15}$/.test(text) && value >= 0 && value <= 1) return value;
    return refuse(context, text, 'must be a number from 0 to 1');
  });
}

/** An http(s) URL, as written. */
export function httpUrl() {
  return urlOf('http', 'https').refine(
    (text) => URL.canParse(text),
    'cannot be read: must be http(s)://host or http(s)://host:port',
  );
}

/** A URL of one of the given schemes, as written. */
function urlOf(...schemes: readonly string[]) {
  const wanted = schemes.map((scheme) => `${scheme}://…`).join(' or ');
  return z.string().refine((text) => schemes.includes(schemeOf(text)), {
    message: `must be a URL such as ${wanted}`,
    abort: true,
  });
}

/** Added to the error, because generated passwords often contain such characters. */
const ENCODED = 'with @ : / ? # % in a user name or password percent-encoded (/ is %2F)';

/** One Redis server, or a Cluster (see redis-address.ts). */
export function redisUrl() {
  return urlOf('redis', 'rediss', 'redis+cluster', 'rediss+cluster').refine(
    (text) => parseRedisUrl(text) !== undefined,
    `cannot be read: must be redis://host:port, or redis+cluster://host:port,host:port for a Cluster, ${ENCODED}`,
  );
}

/** A mail server. */
export function smtpUrl() {
  return urlOf('smtp', 'smtps').refine(
    (text) => isReadableUrl(text),
    `cannot be read: must be smtps://user:password@host:port or smtp://host:port, ${ENCODED}`,
  );
}

function isReadableUrl(text: string): boolean {
  if (!URL.canParse(text) || !isEncoded(text)) return false;
  const url = new URL(text);
  return url.hostname !== '' && !hasSecondAt(url);
}

/** An e-mail address, with a name before it or without. */
export function mailFrom() {
  return z
    .string()
    .regex(
      /^(?:[^<>@"\p{Cc}]{1,100} <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u,
      'must be an e-mail address such as sluice@example.com or Sluice <sluice@example.com>',
    );
}

/** The address of one or more servers of a MongoDB. The driver reads the options after `?`. */
export function mongoUrl() {
  return urlOf('mongodb', 'mongodb+srv').refine(
    (text) => MONGO.test(text) && isEncoded(text),
    `cannot be read: must be mongodb://host:port/database, ${ENCODED}`,
  );
}

const MONGO_SERVER = String.raw`(\[[0-9a-fA-F:.]+\]|[^@:/?#,[\]]+)(:\d{1,5})?`;
const MONGO = new RegExp(
  String.raw`^[a-z+]+://([^@:/?#]*(:[^@:/?#]*)?@)?${MONGO_SERVER}(,${MONGO_SERVER})*(/[^?@]*(\?.*)?|\?[^@]*)?$`,
);

function schemeOf(text: string): string {
  // Not the WHATWG parser: it rejects several hosts with ports, which a MongoDB URL may have.
  return /^([a-z][a-z0-9+]*):\/\/[^\s/]/.exec(text)?.[1] ?? '';
}

/** Express's `trust proxy`: false, true, a number of hops, or a list of addresses. */
export function trustProxy() {
  return z.string().transform((text, context): boolean | number | string[] => {
    if (text === 'true' || text === 'false') return text === 'true';
    if (/^\d{1,3}$/.test(text)) return Number(text);
    const addresses = text.split(',').map((part) => part.trim());
    if (addresses.every(isTrustable)) return addresses;
    return refuse(
      context,
      text,
      'must be true, false, a number of proxies, or addresses such as 10.0.0.0/8,loopback',
    );
  });
}

const TRUSTABLE_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** One of Express's names, an IP address, or a subnet. Express throws at others without naming the variable. */
function isTrustable(text: string): boolean {
  const [address, bits] = text.split('/', 2) as [string, string?];
  if (bits === undefined) return isIP(text) > 0 || TRUSTABLE_NAMES.includes(text);
  const size = Number(bits);
  const most = isIPv4(address) ? 32 : 128;
  return isIP(address) > 0 && size >= 1 && size <= most && text === `${address}/${size}`;
}

/** Plans and their monthly limits: `free:1000,unlimited`. */
export function plans() {
  return z.string().transform((text, context) => {
    const result = parsePlans(text);
    return result.ok ? result.plans : refuse(context, text, result.detail);
  });
}

const MOST_ALLOWED = 100;

/** Up to 100 host names, addresses and networks that may be connected to, separated by commas. */
export function allowedHosts() {
  return z.string().transform((text, context) => {
    const entries = text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    if (entries.length > MOST_ALLOWED)
      return refuse(context, text, `must have at most ${MOST_ALLOWED} entries`);
    for (const entry of entries) {
      const wrong = wrongAllowed(entry);
      if (wrong !== undefined) return refuse(context, entry, `${entry} ${wrong}`);
    }
    return entries;
  });
}

/** 32 bytes in base64 or hex. Error messages never repeat the given text. */
export function secretKey() {
  return z.string().transform((text, context) => {
    const result = parseSecretKey(text);
    return result.ok ? result.key : refuse(context, undefined, result.detail);
  });
}

/** Any number of secret keys, separated by commas. */
export function secretKeys() {
  return z.string().transform((text, context) => {
    const parts = text.split(',').map((part) => part.trim());
    return parts.filter(Boolean).map((part) => {
      const result = parseSecretKey(part);
      return result.ok ? result.key : refuse(context, undefined, `each ${result.detail}`);
    });
  });
}

/** A part of Redis keys, in which `:` and `{}` have a meaning, and the name of a MongoDB database. */
export function namespace() {
  return z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,37}$/, 'must be up to 38 letters, digits, - and _, a letter first');
}

/** A few words for display. */
export function label() {
  return z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,23}$/u, 'must be up to 24 letters, digits, spaces, - _ and .');
}

/** Rejects a value in a zod transform with the reason. */
function refuse(context: z.RefinementCtx, input: unknown, message: string): never {
  context.addIssue({ code: 'custom', input, message });
  return z.NEVER;
}
