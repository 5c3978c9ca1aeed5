import { execFileSync } from 'node:child_process';

/** A new key with a certificate that no authority has signed. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const args = 'req -x509 -newkey rsa:2048 -nodes -keyout - -out - -days 1 -subj /CN=localhost'.split(' ');
  const text = execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  const at = text.indexOf('-----BEGIN CERTIFICATE-----');
  return { key: text.slice(0, at), cert: text.slice(at) };
}
