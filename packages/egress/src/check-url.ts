import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpPolicy } from './address-policy.ts';
import { type AllowedAddressesSettings, allowedAddresses, bareHost } from './allowed-addresses.ts';
import { NameServersAwayError } from './name-servers.ts';

export type UrlRefusal =
  | 'not_a_url'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'port'
  | 'address'
  | 'unknown_host';

/** `detail` says what to do. It never repeats the URL, which may be a secret. */
export type UrlChecked =
  | { readonly outcome: 'url'; readonly url: URL }
  | { readonly outcome: 'refused'; readonly code: UrlRefusal; readonly detail: string };

export interface CheckUrlSettings extends AllowedAddressesSettings {
  readonly mayUseHttp: HttpPolicy;
  /** How long the name may take to resolve. Milliseconds. */
  readonly timeoutMs?: number;
}

export const MAX_URL_LENGTH = 2000;
const RESOLVE_MS = 3000;
const PLAIN_HTTP =
  'Send a URL that begins with https://. For http in a private network, ask an operator to list the host in OUTBOUND_ALLOW.';

/** Ports below 1024 belong to other protocols, which might take a request for their own. */
const WEB_PORTS = [80, 443];
const FIRST_FREE_PORT = 1024;

/**
 * Checks a URL that messages are to be sent to, once: its form, and that every address of its name may be connected to. The agent
 * checks the address again at each connection.
 */
export async function checkTargetUrl(text: string, settings: CheckUrlSettings): Promise<UrlChecked> {
  const read = readTargetUrl(text);
  if (read.outcome === 'refused') return read;
  const { hostname, protocol } = read.url;
  const timeout = sleep(settings.timeoutMs ?? RESOLVE_MS, undefined, { ref: false });
  const unresolved = (error: unknown) =>
    error instanceof NameServersAwayError ? undefined : ({ outcome: 'unknown_host' } as const);
  const found = await Promise.race([allowedAddresses(hostname, settings).catch(unresolved), timeout]);
  const addresses = found?.outcome === 'allowed' ? found.addresses.map(({ address }) => address) : [];
  const isPlain = protocol === 'http:' && !settings.mayUseHttp(bareHost(hostname), addresses);
  if (isPlain && found?.outcome !== 'forbidden_address') return refused('scheme', PLAIN_HTTP);
  switch (found?.outcome) {
    // A name server that is slow today is no reason to refuse. Each connection checks the address anyway.
    case undefined:
    case 'allowed':
      return read;
    case 'unknown_host':
      return refused('unknown_host', `There is no host ${hostname}. Check the address.`);
    case 'forbidden_address':
      return forbidden();
  }
}

/** Checks the form alone. */
function readTargetUrl(text: string): UrlChecked {
  const written = text.trim();
  if (written.length > MAX_URL_LENGTH || !written.isWellFormed() || !URL.canParse(written))
    return refused('not_a_url', `Send a whole URL of at most ${MAX_URL_LENGTH} characters, with https://.`);
  const url = new URL(written);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('scheme', 'Send a URL that begins with https://.');
  if (url.username !== '' || url.password !== '')
    return refused('credentials', 'Take user name and password out of the URL. Messages are signed instead.');
  if (written.includes('#'))
    return refused('fragment', 'Take the fragment (#…) out of the URL. It is never sent.');
  const port = Number(url.port);
  if (url.port !== '' && port < FIRST_FREE_PORT && !WEB_PORTS.includes(port))
    return refused(
      'port',
      `Port ${port} is not used for the web. Use 443, 80 or a port from ${FIRST_FREE_PORT}.`,
    );
  return { outcome: 'url', url };
}

function forbidden(): UrlChecked {
  return refused(
    'address',
    'This host is in a private or special network. Use a public address, or ask an operator to list the host in OUTBOUND_ALLOW.',
  );
}

function refused(code: UrlRefusal, detail: string): UrlChecked {
  return { outcome: 'refused', code, detail };
}
