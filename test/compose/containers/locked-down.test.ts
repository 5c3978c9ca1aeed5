import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPage } from '../../docs/support.ts';
import { ROOT } from '../support/root.ts';
import { rows } from './support/container-source.ts';
import { containersOf, type Ended, engine, shell } from './support/containers.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { inContainers, logsOfFailures } from './support/stack.ts';

/** Commands and their subcommands, as the pages name them. */
const GROUPS =
  'source channel events deliveries dead-letters lead conversation webhook key operator member secrets shards account';
const ALONE = 'import owner-link migrate send';
const NAMED = new RegExp(
  `\\bsluice (?:(?:${GROUPS.replaceAll(' ', '|')}) [a-z][a-z-]*|(?:${ALONE.replaceAll(' ', '|')})\\b)`,
  'g',
);
const HOUR_MS = 3_600_000;
const CSV = 'title,starts_at,location\\nOpen evening,2027-05-01T18:00:00Z,Town hall\\n';
const LEADS = 'email,first name\\nada@example.com,Ada\\n';
const REFUSED_BY_THE_CONTAINER = /EROFS|EACCES|EPERM|ENOSPC|read-only file system|not permitted|\n {4}at /i;

describe('the command line in a container without capabilities, on a read-only file system', function () {
  this.timeout(300_000);
  inContainers();
  logsOfFailures();
  const run: string[] = [];
  let receiver: Receiver;
  let container = '';
  let id: Readonly<Record<'source' | 'channel' | 'key' | 'lead' | 'webhook', string>>;

  after(() => receiver?.close());
  before(async () => {
    [container = ''] = await containersOf('api');
    receiver = await startReceiver();
    const one = async (args: string, field: string) => (await rows(args))[0][field];
    id = {
      source: await one('source create --name Locked', 'source_id'),
      channel: await one('channel create --name Locked', 'channel_id'),
      key: await one('key create --name Locked --scopes read:leads', 'key_id'),
      lead: await one('lead create --email locked@example.com', 'id'),
      webhook: await one(`webhook create --url ${receiver.url} --events lead.created`, 'id'),
    };
    run.push('source create', 'channel create', 'key create', 'lead create', 'webhook create');
  });

  /** Runs it in the container of the API, as `docker compose exec` does. */
  async function sluice(args: string, stdin = ''): Promise<Ended> {
    run.push(args);
    const name = process.env.CONTAINER_ENGINE ?? 'docker';
    return shell(`printf '${stdin}' | ${name} exec --interactive ${container} sluice ${args}`);
  }

  it('can write nothing, and has no capability', async () => {
    expect(
      (await shell(`${process.env.CONTAINER_ENGINE} exec ${container} sh -c 'echo > /app/x'`)).output,
    ).to.match(/read-only/i);
    const status = await engine(`exec ${container} cat /proc/1/status`);
    expect(status)
      .to.match(/CapBnd:\s+0+\n/)
      .and.match(/NoNewPrivs:\s+1/)
      .and.match(/Uid:\s+1000\s/);
  });

  it('does what it does elsewhere', async () => {
    const done = [
      'source list',
      `source show ${id.source}`,
      `source rotate-secret ${id.source} --overlap 24h`,
      `source end-overlap ${id.source}`,
      `source deactivate ${id.source}`,
      `source activate ${id.source}`,
      'channel list',
      `channel rotate-secret ${id.channel} --overlap 24h`,
      `channel end-overlap ${id.channel}`,
      `channel rotate-reply-secret ${id.channel}`,
      `channel show ${id.channel}`,
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
    for (const args of done) expect(await sluice(args), args).to.include({ code: 0 });
  });

  it('imports a file that is piped into it, because the container has no file of yours', async () => {
    expect(await sluice(`import /dev/stdin --source ${id.source}`, CSV)).to.include({ code: 0 });
    expect(await sluice('lead import /dev/stdin --dry-run', LEADS)).to.include({ code: 0 });
  });

  it('says in a sentence what it does not find', async () => {
    const wrong = [
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
    for (const args of wrong) {
      const { code, output } = await sluice(args);
      expect([1, 75], `${args}: ${output}`).to.include(code);
      expect(output, args).to.not.match(REFUSED_BY_THE_CONTAINER);
    }
    const { code, output } = await sluice('account create --name Other --plan none');
    expect({ code, output: output.trim() }).to.deep.equal({
      code: 2,
      output: 'sluice: Unknown plan none. PLANS has: free, pro, unlimited',
    });
  });

  it('deletes what it has made', async () => {
    for (const args of [`webhook delete ${id.webhook}`, `source delete ${id.source} --events keep`])
      expect(await sluice(args), args).to.include({ code: 0 });
  });

  it('ran every command that the pages name', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const named = ['README.md', 'SECURITY.md', ...pages.map((name) => `docs/${name}`)]
      .flatMap((page) => readPage(page).match(NAMED) ?? [])
      .map((command) => command.replace(/^sluice /, ''));
    // The second never ends, and the first needs a secret in a file: outside.test.ts runs it inside of the network.
    const elsewhere = ['send', 'deliveries tail'];
    const missing = [...new Set(named)].filter(
      (command) => !elsewhere.includes(command) && !run.some((args) => `${args} `.startsWith(`${command} `)),
    );
    expect(missing).to.deep.equal([]);
  });
});
