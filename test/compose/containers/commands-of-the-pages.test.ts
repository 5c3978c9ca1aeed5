import { expect } from 'chai';
import { readPage } from '../../docs/support.ts';
import { COMPOSE, containersOf, isHealthy, shell } from './support/containers.ts';
import { inContainers, logsOfFailures, WORKERS } from './support/stack.ts';

const PAGES = ['docs/running.md', 'docs/operations.md'];
const SERVICES = ['redis', 'mongo', 'ingress', 'worker', 'dispatcher', 'api'];
/** The addresses of another deployment become those of this one. */
const OWN_ADDRESSES: readonly [RegExp, string][] = [
  [/https:\/\/events\.example\.com/g, 'http://ingress:8080'],
  [/redis:\/\/…/g, 'redis://redis:6379'],
  [/mongodb:\/\/…/g, 'mongodb://mongo:27017'],
];

/** The commands of the code blocks of a page that begin with `docker compose`, with their continued lines. */
function commandsOf(page: string): string[] {
  const blocks = [...readPage(page).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
  return lines
    .map((line) => line.replace(/\s{2,}#.*$/, '').trim())
    .filter((line) => line.startsWith('docker compose '));
}

/** The command as run here: with the compose command of this machine, and addresses that exist. */
function runnable(command: string): string {
  const here = command
    .replace(/^docker compose/, COMPOSE)
    .replace('SLUICE_NAMESPACE=sluice', 'SLUICE_NAMESPACE=sluice');
  return OWN_ADDRESSES.reduce((text, [theirs, own]) => text.replace(theirs, own), here);
}

describe('each `docker compose` command of the pages', function () {
  this.timeout(600_000);
  inContainers();
  logsOfFailures();

  for (const page of PAGES)
    for (const command of commandsOf(page))
      it(`works: ${command} (${page})`, async () => {
        const { code, output } = await shell(runnable(command), 580_000);
        expect(code, output).to.equal(0);
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
  if (command.includes(' test'))
    expect(output)
      .to.match(/\d+ passing/)
      .and.not.match(/\d+ failing/);
  if (command.includes('--scale worker=4')) expect(await containersOf('worker')).to.have.lengthOf(4);
  if (command.includes('--wait') && !command.includes('--no-deps'))
    for (const service of SERVICES)
      for (const container of await containersOf(service))
        expect(await isHealthy(container), container).to.equal(true);
}
