import { expect } from 'chai';
import {
  CREATING,
  deleting,
  findingNothing,
  type Ids,
  namedButMissing,
  piped,
  succeeding,
  UNKNOWN_PLAN,
} from '../support/cli-commands.ts';
import { rows } from './support/container-source.ts';
import { containersOf, type Ended, engine, shell } from './support/containers.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { inContainers, logsOfFailures } from './support/stack.ts';

const CSV = 'title,starts_at,location\\nOpen evening,2027-05-01T18:00:00Z,Town hall\\n';
const LEADS = 'email,first name\\nada@example.com,Ada\\n';
const MAPPING = '{"rules":[{"do":"ignore"}]}';
const REFUSED_BY_THE_CONTAINER = /EROFS|EACCES|EPERM|ENOSPC|read-only file system|not permitted|\n {4}at /i;

describe('the command line in a container without capabilities, on a read-only file system', function () {
  this.timeout(300_000);
  inContainers();
  logsOfFailures();
  const run: string[] = [];
  let receiver: Receiver;
  let container = '';
  let id: Ids;

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
    run.push(...CREATING);
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
    for (const args of succeeding(id)) expect(await sluice(args), args).to.include({ code: 0 });
  });

  it('reads a file that is piped into it, because the container has no file of yours', async () => {
    const { events, leads, mapping } = piped(id);
    expect(await sluice(events, CSV)).to.include({ code: 0 });
    expect(await sluice(leads, LEADS)).to.include({ code: 0 });
    expect(await sluice(mapping, MAPPING)).to.include({ code: 0 });
  });

  it('says in a sentence what it does not find', async () => {
    for (const args of findingNothing(id)) {
      const { code, output } = await sluice(args);
      expect([1, 75], `${args}: ${output}`).to.include(code);
      expect(output, args).to.not.match(REFUSED_BY_THE_CONTAINER);
    }
    const { code, output } = await sluice(UNKNOWN_PLAN);
    expect({ code, output: output.trim() }).to.deep.equal({
      code: 2,
      output: 'sluice: Unknown plan none. PLANS has: free, pro, unlimited',
    });
  });

  it('deletes what it has made', async () => {
    for (const args of deleting(id)) expect(await sluice(args), args).to.include({ code: 0 });
  });

  it('ran every command that the pages name', () => {
    expect(namedButMissing(run)).to.deep.equal([]);
  });
});
