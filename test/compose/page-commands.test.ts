import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../docs/support.ts';
import * as cli from './support/cli-commands.ts';
import { commandsInBlocks, everyCommand, PAGES } from './support/page-commands.ts';

describe('the `docker compose` commands of the pages', () => {
  const run = PAGES.flatMap(commandsInBlocks);

  it('are found', () => {
    expect(run).to.include.members([
      'docker compose up --build --wait',
      'docker compose build',
      'docker compose up --detach --wait --no-deps ingress',
    ]);
  });

  it('are all in the code blocks that `npm run test:compose` runs', () => {
    const files = ['README.md', 'SECURITY.md', 'docker-compose.yml', ...markdown()];
    const leftOut = files.flatMap((file) =>
      everyCommand(file)
        .filter((command) => !run.includes(command))
        .map((command) => `${file}: ${command}`),
    );
    expect(leftOut).to.deep.equal([]);
  });
});

describe('the `sluice` commands of the pages', () => {
  it('are all among those that `npm run test:compose` runs', () => {
    const any = { source: 'src_1', channel: 'chn_1', key: 'key_1', lead: 'lead_1', webhook: 'sub_1' };
    expect(cli.namedButMissing(cli.everyCommand(any))).to.deep.equal([]);
  });
});

function markdown(): string[] {
  return ['docs', 'deploy']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => path.endsWith('.md'));
}
