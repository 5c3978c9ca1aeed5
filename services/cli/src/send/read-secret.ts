import type { Streams } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { readFileOption } from '../read-file-option.ts';

/** Reads the signing secret from a file. Fails with exit code 2 if the file has something else. */
export async function readSecret(streams: Streams, path: string, of: SecretOf = 'source'): Promise<string> {
  const found = secretIn(await readFileOption(streams, '--secret-file', path), of);
  const file = path === '-' ? 'standard input' : path;
  switch (found.outcome) {
    case 'secret':
      return found.secret;
    case 'empty':
      throw wrongUsage(`--secret-file: ${file} is empty.`);
    case 'unknown':
      throw wrongUsage(`--secret-file: ${file} ${found.why} Nothing was done.`);
  }
}

/**
 * Reads a secret that another system has made, from standard input. Only the newline that a shell or an editor adds is removed:
 * the form of the secret is not known.
 */
export async function readPastedSecret(streams: Streams, path = '-'): Promise<string> {
  const text = textOf(await readFileOption(streams, '--secret-file', path)).replace(/^\uFEFF/, '');
  return text.replace(/\r?\n$/, '');
}

type SecretFile =
  | { readonly outcome: 'secret'; readonly secret: string }
  | { readonly outcome: 'empty' }
  | { readonly outcome: 'unknown'; readonly why: string };

/**
 * A source's secret is a text. That of a webhook subscription is base64 (Standard Webhooks). Some of those have only letters and digits, so
 * their length tells them apart.
 */
type SecretOf = 'source' | 'subscription';

const FORMS = {
  source: /^whsec_(?![0-9A-Za-z]{64}$)[0-9A-Za-z]+$/,
  subscription: /^whsec_(?:[0-9A-Za-z+/]{4})*(?:[0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=)?$/,
} as const;

/**
 * The whole secret is the HMAC key, so one character more makes another signature. Editors and shells put these around it:
 * a byte order mark, blanks, newlines and quotes. A secret contains no such character. Pure.
 */
function secretIn(bytes: Buffer, of: SecretOf): SecretFile {
  const text = textOf(bytes).trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(text);
  const secret = (quoted?.[2] ?? text).trim();
  if (secret === '') return { outcome: 'empty' };
  if (FORMS[of].test(secret)) return { outcome: 'secret', secret };
  return { outcome: 'unknown', why: whyUnknown(secret, of) };
}

/** PowerShell writes UTF-16 with a byte order mark. `trim` removes the mark of UTF-8, which counts as a blank. */
function textOf(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return isUtf16 ? bytes.toString('utf16le', 2) : bytes.toString('utf8');
}

/** Never contains a part of the file. */
function whyUnknown(text: string, of: SecretOf): string {
  if (/[\r\n]/.test(text)) return 'has more than one line. Keep only the line with the secret.';
  if (!text.includes('whsec_')) return 'does not begin with whsec_. Copy the whole signing secret.';
  if (!text.startsWith('whsec_')) return 'has text before whsec_. Keep only the signing secret.';
  if (of === 'subscription')
    return 'is not base64 after whsec_. Copy the secret of the webhook subscription again.';
  if (FORMS.subscription.test(text))
    return 'has the secret of a webhook subscription, or that of replies. Copy the signing secret of the source.';
  return 'has other characters than letters and digits after whsec_. Copy the signing secret again.';
}
