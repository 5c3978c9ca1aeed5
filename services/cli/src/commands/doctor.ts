import { readRunningStack } from '@sluice/runtime/config/stack-file';
import { withoutUnseen } from '@sluice/runtime/telemetry/printable';
import type { Command } from 'commander';
import { type ApiOptions, KEY_OPTION, readApiKey, readApiUrl, URL_OPTION } from '../api/api-access.ts';
import type { CommonOptions, Context } from '../context.ts';
import { ask } from '../doctor/ask.ts';
import { checkApi } from '../doctor/check-api.ts';
import { checkEndpoint, findEventsUrl } from '../doctor/check-endpoint.ts';
import type { Finding } from '../doctor/finding.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { createPaint, type Paint } from '../paint.ts';

interface Options extends CommonOptions, ApiOptions {
  readonly eventsUrl?: string;
}

const HELP = `
Checks the API server, the clock, the API key with its scopes, and the webhook endpoint. With REDIS_URL or MONGO_URL in the
environment it checks those stores too. Without any of these addresses it checks a running npm start with the same DATA_DIR.

Exit codes: 0 no problem, 1 a problem, 2 wrong usage.

Example:
  SLUICE_URL=https://sluice.example.com sluice doctor --key-file key.txt`;

/** sluice doctor */
export function addDoctor(parent: Command, context: Context): void {
  const command = parent
    .command('doctor')
    .description('find out why something does not work, and what to do')
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .option('--events-url <url>', 'base URL of the webhook endpoint (default: as the API server names it)')
    .option('--json', 'print one JSON object for each check')
    .addHelpText('after', HELP);

  command.action(async () => {
    const options = command.opts<Options>();
    const output = createOutput(context.streams, { json: options.json === true });
    const findings = await examine(context, options);
    const paint = createPaint(process.stdout);
    for (const one of findings) {
      if (options.json) output.line({ ...one }, []);
      else output.text(inWords(one, paint));
    }
    if (findings.some(({ result }) => result === 'problem')) process.exitCode = EXIT.failed;
  });
}

async function examine({ env: given, now }: Context, options: Options): Promise<readonly Finding[]> {
  const env = { ...(await runningHere(given, options)), ...given };
  const hasUrl = options.url !== undefined || Boolean(env.SLUICE_URL);
  const hasKey = options.keyFile !== undefined || Boolean(env.SLUICE_API_KEY);
  const url = hasUrl ? readApiUrl(env, options) : undefined;
  const key = hasKey ? await readApiKey(env, options) : undefined;
  const eventsText = options.eventsUrl ?? env.EVENTS_URL;
  if (eventsText !== undefined && !URL.canParse(eventsText))
    throw wrongUsage(`--events-url: ${eventsText} is not a URL.`);
  const asking = (at: URL, headers?: Record<string, string>) => ask(at, now, headers);
  const { checkStores } = await import('../doctor/check-stores.ts');
  const [api, stores] = await Promise.all([
    checkApi({ ...{ url, key, now }, ask: asking }),
    checkStores(env),
  ]);
  const named = eventsText === undefined ? undefined : new URL(eventsText);
  const eventsUrl = named ?? (url && (await findEventsUrl(url, asking)));
  return [...api, ...(await checkEndpoint(eventsUrl, asking)), ...stores];
}

/** The addresses of a running `npm start`, unless the user names any address. */
async function runningHere(env: NodeJS.ProcessEnv, { url, eventsUrl }: Options): Promise<NodeJS.ProcessEnv> {
  const named = [url, eventsUrl, env.SLUICE_URL, env.EVENTS_URL, env.REDIS_URL, env.MONGO_URL];
  if (named.some(Boolean)) return {};
  const stack = await readRunningStack(env.DATA_DIR || './data');
  if (stack === undefined) return {};
  return {
    ...(stack.api_url !== undefined && { SLUICE_URL: stack.api_url }),
    EVENTS_URL: stack.events_url,
    REDIS_URL: stack.redis_url,
    MONGO_URL: stack.mongo_url,
    SLUICE_NAMESPACE: stack.namespace,
  };
}

const COLOURS = { ok: 'green', problem: 'red', skipped: 'dim' } as const;

function inWords({ check, result, detail, fix }: Finding, paint: Paint): string {
  const line = `${paint(COLOURS[result], result.padEnd(7))}  ${check.padEnd(16)}  ${withoutUnseen(detail)}`;
  return fix === null ? line : `${line}\n${' '.repeat(27)}${fix}`;
}
