import { join, relative } from 'node:path';
import type { Demo } from './demo-source.ts';

export interface CommandSettings {
  readonly demo: Demo;
  /** The reader's current folder. */
  readonly cwd: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

const WEEK_MS = 7 * 24 * 3600 * 1000;

/** The event of the first request; a week from now, so that it is upcoming. */
function demoEvent(now: number) {
  const startsAt = `${new Date(now + WEEK_MS).toISOString().slice(0, 10)}T18:00:00Z`;
  return { title: 'Open evening', starts_at: startsAt, location: 'Town hall' };
}

/** A bash command that signs with a fresh timestamp and sends; the secret stays in its file. */
export function curlCommand({ demo, cwd, now }: CommandSettings): string {
  const { endpointUrl } = demo.source;
  const event = demoEvent(now);
  return [
    `body='${JSON.stringify({ action: 'upsert', event })}'`,
    'ts=$(date +%s)',
    `sig=$(printf '%s.%s' "$ts" "$body" | openssl dgst -sha256 -hmac "$(cat ${quoted(shortest(demo.secretFile, cwd))})" -r | cut -d' ' -f1)`,
    `curl -sS -i '${endpointUrl}' -H 'Content-Type: application/json' \\`,
    '  -H "X-Service-Timestamp: $ts" -H "X-Service-Signature: sha256=$sig" --data-raw "$body"',
  ].join('\n');
}

/** The same request as a `sluice` command. */
function sendCommand({ demo, cwd, now }: CommandSettings): string {
  const { title, starts_at, location } = demoEvent(now);
  const secret = quoted(shortest(demo.secretFile, cwd));
  return `npx sluice send upsert --url ${demo.source.endpointUrl} --secret-file ${secret} --title '${title}' --starts-at ${starts_at} --location '${location}'`;
}

export interface BannerSettings extends CommandSettings {
  readonly dashboard: {
    readonly url: string;
    /** A one-time link; null where the account has an owner. */
    readonly ownerLink: string | null;
  };
  readonly logPath: string;
  /** The absolute folder of the data. */
  readonly dataDir: string;
}

/** The text that `npm start` prints when everything is ready. */
export function banner({ demo, dashboard, cwd, now, logPath, dataDir }: BannerSettings): string {
  const { sourceId, endpointUrl } = demo.source;
  // Another terminal lacks the variable, and would look for the default folder.
  const where = dataDir === join(cwd, 'data') ? '' : `DATA_DIR=${quoted(dataDir)} `;
  return `
Sluice is ready.

${dashboardLines(dashboard)}

Webhook endpoint of the source "demo":

  ${endpointUrl}

Send it a signed event, from this folder in another terminal (bash):

${curlCommand({ demo, cwd, now })}

The same without curl and openssl:

${sendCommand({ demo, cwd, now })}

See the result:

${where}npx sluice events list --source ${sourceId}
${where}npx sluice deliveries list --source ${sourceId}

Logs: ${shortest(logPath, cwd)}. Ctrl-C stops everything and keeps the data.
`;
}

function dashboardLines({ url, ownerLink }: BannerSettings['dashboard']): string {
  if (ownerLink === null) return `Dashboard:\n\n  ${url}`;
  return `Dashboard (this link makes you the owner of the account "demo"; it works once, within a day):\n\n  ${ownerLink}`;
}

/** A path relative to the reader's current folder. */
function shortest(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside.startsWith('..') ? path : inside;
}

/** Safe to paste into bash. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
