import { withoutUnseen } from '@sluice/runtime/telemetry/printable';
import type { Command } from 'commander';
import { type ApiOptions, KEY_OPTION, readApiKey, readApiUrl, URL_OPTION } from '../api/api-access.ts';
import type { CommonOptions, Context } from '../context.ts';
import { ask } from '../doctor/ask.ts';
import { checkAllowed } from '../doctor/check-allowed.ts';
import { checkApi } from '../doctor/check-api.ts';
import { checkEndpoint, findEventsUrl } from '../doctor/check-endpoint.ts';
import { readAllowed, readDoctorConfig, runningHere } from '../doctor/doctor-config.ts';
import type { Finding } from '../doctor/finding.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import { createOutput, createPaint, type Paint } from '../output.ts';

interface Options extends CommonOptions, ApiOptions {
  readonly eventsUrl?: string;
}

const HELP = `
Checks the API server, the clock, the API key with its scopes, and the webhook endpoint. With REDIS_URL or MONGO_URL in the
environment it checks those stores too: it writes and deletes one key and one document, and reads settings and indexes. In Redis it
reads whether each kind of process reports that it works. It resolves the names in OUTBOUND_ALLOW and FEED_ALLOW. A running npm start with the same DATA_DIR is checked whole, unless an address is that of another installation.
The webhook endpoint is that of --events-url, else of INGRESS_URL, of EVENTS_URL, or the one that the API server names.

Exit codes: 0 no problem, 1 a problem, 2 wrong usage, or nothing to check.

Example:
  SLUICE_URL=https://sluice.example.com sluice doctor --key-file key.txt`;

/** sluice doctor */
export function addDoctor(parent: Command, context: Context): void {
  const command = parent
    .command('doctor')
    .description('find out why something does not work, and what to do')
    .option(...URL_OPTION)
    .option(...KEY_OPTION)
    .option('--events-url <url>', 'base URL of the webhook endpoint (default: see below)')
    .option('--json', 'print one JSON object for each check')
    .addHelpText('after', HELP);

  command.action(async () => {
    const options = command.opts<Options>();
    const output = createOutput(context.streams, { json: options.json === true });
    const findings = await examine(context, options);
    const paint = createPaint(context.streams.stdout);
    for (const one of findings) {
      if (options.json) output.line({ ...one }, []);
      else output.text(inWords(one, paint));
    }
    if (findings.every(({ result }) => result === 'skipped'))
      throw wrongUsage('Nothing was checked, because no address is set. Set SLUICE_URL and SLUICE_API_KEY.');
    if (findings.some(({ result }) => result === 'problem')) context.exitWith(EXIT.failed);
  });
}

async function examine(context: Context, options: Options): Promise<readonly Finding[]> {
  const { env, now } = context;
  const config = readDoctorConfig(env);
  const running = await runningHere(config, {
    apiUrl: options.url ?? env.SLUICE_URL,
    eventsUrl: options.eventsUrl,
  });
  const hasKey = options.keyFile !== undefined || Boolean(env.SLUICE_API_KEY);
  const apiUrl = options.url ?? (env.SLUICE_URL || running.api_url);
  const url = apiUrl === undefined ? undefined : readApiUrl({ SLUICE_URL: apiUrl }, options);
  const key = hasKey ? await readApiKey(context, options) : undefined;
  // INGRESS_URL first: in the container of an API server, the public address may lead nowhere.
  const eventsText = options.eventsUrl ?? config.INGRESS_URL ?? config.EVENTS_URL ?? running.events_url;
  if (eventsText !== undefined && !URL.canParse(eventsText))
    throw wrongUsage(`--events-url: ${eventsText} is not a URL.`);
  const asking = (at: URL, headers?: Record<string, string>) => ask(at, now, headers);
  const { checkStores } = await import('../doctor/check-stores.ts');
  const [api, stores, allowed] = await Promise.all([
    checkApi({ ...{ url, key, now }, ask: asking }),
    checkStores({
      redisUrl: config.REDIS_URL ?? running.redis_url,
      mongoUrl: config.MONGO_URL ?? running.mongo_url,
      namespace: config.SLUICE_NAMESPACE ?? running.namespace ?? 'sluice',
    }),
    checkAllowed(readAllowed(env, running)),
  ]);
  const named = eventsText === undefined ? undefined : new URL(eventsText);
  const eventsUrl = named ?? (url && (await findEventsUrl(url, asking)));
  return [...api, ...(await checkEndpoint(eventsUrl, asking)), ...stores, ...allowed];
}

const COLOURS = { ok: 'green', problem: 'red', skipped: 'dim' } as const;

function inWords({ check, result, detail, fix }: Finding, paint: Paint): string {
  const line = `${paint(COLOURS[result], result.padEnd(7))}  ${check.padEnd(16)}  ${withoutUnseen(detail)}`;
  return fix === null ? line : `${line}\n${' '.repeat(27)}${fix}`;
}
