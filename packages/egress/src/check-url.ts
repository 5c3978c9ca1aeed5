import { setTimeout as sleep } from 'node:timers/promises';
import { type AllowedAddressesSettings, allowedAddresses } from './allowed-addresses.ts';
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
  /** Allows plain http. */
  readonly allowHttp: boolean;
  /** How long the name may take to resolve. Milliseconds. */
  readonly timeoutMs?: number;
}

export const MAX_URL_LENGTH = 2000;
const RESOLVE_MS = 3000;

/** Ports below 1024 belong to other protocols, which might take a request for their own. */
const WEB_PORTS = [80, 443];
const FIRST_FREE_PORT = 1024;

/**
 * Checks a URL that messages are to be sent to, once: its form, and that every address of its name may be connected to. The agent
 * checks the address again at each connection.
 */
export async function checkTargetUrl(text: string, settings: CheckUrlSettings): Promise<UrlChecked> {
  const read = readTargetUrl(text, settings);
  if (read.outcome === 'refused') return read;
  const { hostname } = read.url;
  const timeout = sleep(settings.timeoutMs ?? RESOLVE_MS, undefined, { ref: false });
  const unresolved = (error: unknown) =>
    error instanceof NameServersAwayError ? undefined : ({ outcome: 'unknown_host' } as const);
  const found = await Promise.race([allowedAddresses(hostname, settings).catch(unresolved), timeout]);
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

/** Checks the form alone, of the URL of a subscription or of a channel's replies. */
export function readTargetUrl(text: string, { allowHttp }: Pick<CheckUrlSettings, 'allowHttp'>): UrlChecked {
  const written = text.trim();
  if (written.length > MAX_URL_LENGTH || !written.isWellFormed() || !URL.canParse(written))
    return refused('not_a_url', `Send a whole URL of at most ${MAX_URL_LENGTH} characters, with https://.`);
  const url = new URL(written);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    const local =
      url.protocol === 'http:' ? ' For http in a private network, have OUTBOUND_PRIVATE_NETWORKS set.' : '';
    return refused('scheme', `Send a URL that begins with https://.${local}`);
  }
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
    'This host is in a private or special network. Use a public address, or have OUTBOUND_PRIVATE_NETWORKS set.',
  );
}

function refused(code: UrlRefusal, detail: string): UrlChecked {
  return { outcome: 'refused', code, detail };
}
