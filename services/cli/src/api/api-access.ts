import { checkApiKeyForm } from '@sluice/credentials/api-key';
import type { Context } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { readFileOption } from '../read-file-option.ts';

/** The address of the public API, and the key that opens it. */
export interface ApiAccess {
  readonly url: URL;
  readonly key: string;
}

export interface ApiOptions {
  readonly url?: string;
  readonly keyFile?: string;
}

type ReadContext = Pick<Context, 'env' | 'streams'>;

/** An API key is never an argument: every user of the machine sees arguments. */
export const KEY_OPTION = ['--key-file <file>', 'file with the API key (default: SLUICE_API_KEY)'] as const;
export const URL_OPTION = ['--url <url>', 'base URL of the API server (default: SLUICE_URL)'] as const;

/** Reads base URL and key. Fails with exit code 2 if one is missing or cannot be right. */
export async function readApiAccess(context: ReadContext, options: ApiOptions): Promise<ApiAccess> {
  const url = readApiUrl(context.env, options);
  const key = await readApiKey(context, options);
  const form = checkApiKeyForm(key);
  if (form.status === 'malformed')
    throw wrongUsage('Not an API key. It starts with slc_live_. Copy the whole key from the dashboard.');
  if (form.status === 'checksum_wrong')
    throw wrongUsage('The API key has a typo: its checksum does not match. Copy the whole key again.');
  return { url, key };
}

/** The base URL of the API, from --url or SLUICE_URL. */
export function readApiUrl(env: NodeJS.ProcessEnv, { url: option }: ApiOptions): URL {
  const [name, text] = option === undefined ? ['SLUICE_URL', env.SLUICE_URL] : ['--url', option];
  if (!text) throw wrongUsage('Name the API server: set SLUICE_URL, or pass --url https://….');
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw wrongUsage(`${name}: ${text} is not an http or https URL.`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** The text of the API key, from --key-file or SLUICE_API_KEY. */
export async function readApiKey({ env, streams }: ReadContext, { keyFile }: ApiOptions): Promise<string> {
  const text =
    keyFile === undefined
      ? env.SLUICE_API_KEY
      : (await readFileOption(streams, '--key-file', keyFile)).toString('utf8').trim();
  if (text) return text;
  if (keyFile !== undefined) throw wrongUsage(`--key-file: ${keyFile} is empty.`);
  throw wrongUsage('Give an API key: set SLUICE_API_KEY, or pass --key-file FILE.');
}
