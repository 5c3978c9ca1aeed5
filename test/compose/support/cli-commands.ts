import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { ROOT, readPage } from '../../docs/support.ts';

/** Commands and their subcommands, as the pages name them. */
const GROUPS =
  'source channel events deliveries dead-letters lead conversation webhook key operator member secrets shards account';
const ALONE = 'import owner-link migrate send';
const NAMED = new RegExp(
  `\\bsluice (?:(?:${GROUPS.replaceAll(' ', '|')}) [a-z][a-z-]*|(?:${ALONE.replaceAll(' ', '|')})\\b)`,
  'g',
);
/** The second never ends, and the first needs a secret in a file: outside.test.ts runs it inside of the network. */
const RUN_ELSEWHERE = ['send', 'deliveries tail'];

/** The ids that the commands are run with. */
export type Ids = Readonly<Record<'source' | 'channel' | 'key' | 'lead' | 'webhook', string>>;

/** Those that create what the others use. */
export const CREATING = ['source create', 'channel create', 'key create', 'lead create', 'webhook create'];

/** Those that succeed, in the order in which they run. */
export function succeeding(id: Ids): string[] {
  return [
    'source list',
    `source show ${id.source}`,
    `source update ${id.source} --rate-per-second 50`,
    `source rotate-secret ${id.source} --overlap 24h`,
    `source end-overlap ${id.source}`,
    `source sender ${id.source} --preset stripe`,
    `source deactivate ${id.source}`,
    `source activate ${id.source}`,
    'channel list',
    `channel rotate-secret ${id.channel} --overlap 24h`,
    `channel end-overlap ${id.channel}`,
    `channel rotate-reply-secret ${id.channel}`,
    `channel show ${id.channel}`,
    `channel update ${id.channel} --name Chat`,
    `channel deactivate ${id.channel}`,
    `channel activate ${id.channel}`,
    `events list --source ${id.source} --when upcoming`,
    `deliveries list --source ${id.source}`,
    'dead-letters list',
    'lead list',
    `lead get ${id.lead}`,
    `lead update ${id.lead} --company Sluice`,
    `lead stage ${id.lead} Qualified`,
    'conversation list --status handoff_requested',
    'webhook list',
    `webhook show ${id.webhook}`,
    `webhook deliveries ${id.webhook} --status failed`,
    `webhook test ${id.webhook}`,
    `webhook recover ${id.webhook} --since ${new Date(Date.now() - HOUR_MS).toISOString()}`,
    `webhook pause ${id.webhook}`,
    `webhook resume ${id.webhook}`,
    `webhook update ${id.webhook} --events lead.updated`,
    `webhook rotate-secret ${id.webhook}`,
    `webhook discard ${id.webhook}`,
    'key list',
    `key rename ${id.key} --name Renamed`,
    `key rotate ${id.key} --overlap 1h`,
    'operator list',
    'account list',
    'secrets reseal',
    'migrate',
    'shards set 1',
    'owner-link',
    '--version',
  ];
}

/** Those that read a file from stdin. */
export function piped(id: Ids) {
  return {
    events: `import /dev/stdin --source ${id.source}`,
    leads: 'lead import /dev/stdin --dry-run',
    mapping: `source mapping ${id.source} --file -`,
  };
}

/** Those that name what does not exist. */
export function findingNothing(id: Ids): string[] {
  return [
    'account set-plan acc_none pro',
    'webhook adopt sub_none',
    'dead-letters retry dlv_none',
    'dead-letters drop dlv_none',
    `deliveries show dlv_none`,
    'conversation show cnv_none',
    'conversation reply cnv_none --text Hello',
    'member reset-two-factor nobody@example.com',
    `webhook redeliver ${id.webhook} msg_none`,
    'key revoke key_none',
    'operator grant nobody@example.com',
    'operator revoke nobody@example.com',
    'owner-link --reset nobody@example.com',
  ];
}

/** One with a plan that does not exist. */
export const UNKNOWN_PLAN = 'account create --name Other --plan none';

/** Those that delete what the others used. */
export function deleting(id: Ids): string[] {
  return [
    `webhook delete ${id.webhook}`,
    `source delete ${id.source} --events keep`,
    `channel delete ${id.channel} --conversations keep`,
  ];
}

/** All of the above. */
export function everyCommand(id: Ids): string[] {
  return [
    ...CREATING,
    ...succeeding(id),
    ...Object.values(piped(id)),
    ...findingNothing(id),
    UNKNOWN_PLAN,
    ...deleting(id),
  ];
}

/** The commands that README.md, SECURITY.md and docs name, and that are not among these. */
export function namedButMissing(commands: readonly string[]): string[] {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const named = ['README.md', 'SECURITY.md', ...pages.map((name) => `docs/${name}`)]
    .flatMap((page) => readPage(page).match(NAMED) ?? [])
    .map((command) => command.replace(/^sluice /, ''));
  return [...new Set(named)].filter(
    (command) =>
      !RUN_ELSEWHERE.includes(command) && !commands.some((args) => `${args} `.startsWith(`${command} `)),
  );
}
