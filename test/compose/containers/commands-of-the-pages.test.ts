import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { commandsInBlocks, PAGES } from '../support/page-commands.ts';
import { COMPOSE, containersOf, isHealthy, shell } from './support/containers.ts';
import { inContainers, logsOfFailures, WORKERS } from './support/stack.ts';

const SERVICES = ['redis', 'mongo', 'ingress', 'worker', 'dispatcher', 'api'];
/** The addresses of another deployment become those of this one. */
const OWN_ADDRESSES: readonly [RegExp, string][] = [
  [/https:\/\/events\.example\.com/g, 'http://ingress:8080'],
  [/redis:\/\/…/g, 'redis://redis:6379'],
  [/mongodb:\/\/…/g, 'mongodb://mongo:27017'],
];
const CSV = 'title,starts_at,location\nOpen evening,2027-05-01T18:00:00Z,Town hall\n';

describe('each `docker compose` command of the pages', function () {
  this.timeout(600_000);
  inContainers();
  logsOfFailures();
  let folder: string;
  /** Made by the command of the page. */
  let source = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-pages-'));
    await writeFile(join(folder, 'events.csv'), CSV);
  });
  after(() => rm(folder, { recursive: true }));

  /** The command as run here: with the compose command of this machine, and with addresses and a source that exist. */
  function runnable(command: string): string {
    const here = command
      .replace(/^docker compose/, COMPOSE)
      .replace('src_…', source)
      .replace('events.csv', join(folder, 'events.csv'));
    return OWN_ADDRESSES.reduce((text, [theirs, own]) => text.replace(theirs, own), here);
  }

  for (const page of PAGES)
    for (const command of commandsInBlocks(page))
      it(`works: ${command} (${page})`, async () => {
        const { code, output } = await shell(runnable(command), 580_000);
        expect(code, output).to.equal(0);
        if (command.includes('source create')) source = /\bsrc_\w+/.exec(output)?.[0] ?? '';
        await expectWhatItSays(command, output);
      });

  it('leaves every service healthy, with four workers', async () => {
    for (const service of SERVICES) {
      const containers = await containersOf(service);
      expect(containers, service).to.have.lengthOf(service === 'worker' ? WORKERS : 1);
      for (const container of containers) expect(await isHealthy(container), container).to.equal(true);
    }
  });
});

/** Expects the result that the page describes. */
async function expectWhatItSays(command: string, output: string): Promise<void> {
  if (command.includes('owner-link')) expect(output).to.include(`http://localhost:${process.env.API_PORT}/`);
  if (command.includes('source create')) expect(output).to.match(/whsec_/);
  if (command.includes(' import ')) expect(output).to.match(/\b1 new\b/);
  if (command.includes(' test')) expect(output).to.match(/[1-9]\d* passed, 0 failed/);
  if (command.includes('--scale worker=4')) expect(await containersOf('worker')).to.have.lengthOf(4);
  if (command.includes('--wait') && !command.includes('--no-deps'))
    for (const service of SERVICES)
      for (const container of await containersOf(service))
        expect(await isHealthy(container), container).to.equal(true);
}
