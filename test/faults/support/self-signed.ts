import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { newFolder } from '../../support/folder.ts';

export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/** A new key with a certificate of a host that no authority has signed. */
export function selfSigned(host = 'localhost'): Certified {
  return certified(host);
}

/** A new key with a certificate of a host whose authority nobody knows. A server that omits its chain looks the same. */
export function signedByUnknown(host: string): Certified {
  const folder = newFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  openssl(`${NEW} -keyout ${key} -out ${cert} -subj /CN=authority`);
  return certified(host, ` -CA ${cert} -CAkey ${key}`);
}

const NEW = 'req -x509 -newkey rsa:2048 -nodes -days 1';

function certified(host: string, more = ''): Certified {
  const names = `-subj /CN=${host} -addext subjectAltName=DNS:${host}`;
  const text = openssl(`${NEW} -keyout - -out - ${names}${more}`);
  const at = text.indexOf('-----BEGIN CERTIFICATE-----');
  return { key: text.slice(0, at), cert: text.slice(at) };
}

function openssl(command: string): string {
  return execFileSync('openssl', command.split(' '), { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}
