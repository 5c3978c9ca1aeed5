import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Output } from '../../tools/launcher/src/output.ts';
import { forkSpawner } from '../../tools/launcher/src/spawners.ts';
import { START_FLAGS } from '../../tools/launcher/src/start-flags.ts';
import { readComposeFile } from '../compose/support/compose-file.ts';
import { instructionsOf, lastOf } from '../compose/support/dockerfile.ts';

describe('the start flags of a service', () => {
  for (const flag of START_FLAGS)
    it(`are known to this Node: ${flag}`, async () => {
      // Node exits with 9 when neither it nor V8 knows an option.
      const child = spawn(process.execPath, [flag, '-e', '0'], { stdio: 'ignore' });
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
    });

  it('are given to each process of npm start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-flags-'));
    const main = join(folder, 'main.mjs');
    await writeFile(main, 'process.send(process.execArgv); process.disconnect();');
    const output = { attach: () => {} } as unknown as Output;
    const child: ChildProcess = forkSpawner({ main, env: {}, output })('worker 1');
    const [flags] = await once(child, 'message');
    await once(child, 'exit');
    await rm(folder, { recursive: true });
    expect(flags).to.deep.equal(START_FLAGS);
  });

  it('are in the command of the image and of each service of docker-compose.yml', () => {
    const image = JSON.parse((lastOf('CMD', instructionsOf('production')) ?? '').replace(/^.*?CMD /, ''));
    const { services } = readComposeFile({ SLUICE_SECRET_KEY: 'x' });
    const command = (part: string) => ['node', ...START_FLAGS, `services/${part}/dist/main.js`];
    expect(image).to.deep.equal(command('ingress'));
    for (const part of ['ingress', 'worker', 'api'])
      expect(services[part]?.command, part).to.deep.equal(command(part));
  });
});
