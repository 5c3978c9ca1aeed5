import { execFileSync } from 'node:child_process';

/** A new key with a certificate of a host that no authority has signed. */
export function selfSigned(host = 'localhost'): { readonly key: string; readonly cert: string } {
  const command = 'req -x509 -newkey rsa:2048 -nodes -keyout - -out - -days 1';
  const args = `${command} -subj /CN=${host} -addext subjectAltName=DNS:${host}`.split(' ');
  const text = execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  const at = text.indexOf('-----BEGIN CERTIFICATE-----');
  return { key: text.slice(0, at), cert: text.slice(at) };
}
