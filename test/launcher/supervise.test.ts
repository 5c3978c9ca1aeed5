import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { spaceTrouble } from '../../tools/launcher/src/free-space.ts';
import { type SuperviseSettings, supervise } from '../../tools/launcher/src/supervise.ts';

/** Runs until SIGTERM. Prints a line once it listens for that. */
const OBEDIENT = `process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('up');`;
const DEAF = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');`;

describe('a supervised process', () => {
  const children: ChildProcess[] = [];
  const said: string[] = [];
  let next: (child: ChildProcess) => void = () => {};

  beforeEach(() => {
    children.length = 0;
    said.length = 0;
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  const run = (source: string, more: Partial<SuperviseSettings> = {}) =>
    supervise({
      name: 'part',
      say: (line) => said.push(line),
      spawn: () => {
        const child = spawn(process.execPath, ['--eval', source], { stdio: ['ignore', 'pipe', 'inherit'] });
        children.push(child);
        next(child);
        return child;
      },
      ...more,
    });
  const spawned = () => new Promise<ChildProcess>((resolve) => (next = resolve));
  const up = (child: ChildProcess | undefined) => once(child?.stdout ?? process.stdout, 'data');

  it('is restarted if it is killed, with a line that names the likely cause', async () => {
    const supervised = run(OBEDIENT, { hint: () => spaceTrouble({ bavail: 5, bsize: 1024 * 1024 }) });
    supervised.start();
    await up(children[0]);
    const second = spawned();
    children[0]?.kill('SIGKILL');
    await up(await second);
    expect(said).to.deep.equal([
      'part ended (SIGKILL); starting it again in 100 ms. The disk of DATA_DIR is full: 5 MiB are free. Make room there.',
    ]);
    expect(await supervised.stop(5000)).to.equal(true);
    expect(children).to.have.length(2);
    expect(spaceTrouble({ bavail: 16, bsize: 1024 * 1024 })).to.equal(undefined);
  });

  it('is not restarted after a stop, even if it waits for its next start', async () => {
    const supervised = run('process.exit(3)');
    supervised.start();
    await once(children[0] as ChildProcess, 'exit');
    expect(await supervised.stop(1000)).to.equal(true);
    expect(children).to.have.length(1);
  });

  it('is not restarted or reported if it ends while everything is being stopped', async () => {
    const supervised = run(OBEDIENT, { isStopping: () => true });
    supervised.start();
    await up(children[0]);
    const [child] = children;
    child?.kill('SIGTERM');
    await once(child as ChildProcess, 'exit');
    expect(await supervised.stop(1000)).to.equal(true);
    expect(said).to.deep.equal([]);
    expect(children).to.have.length(1);
  });

  it('is killed if it does not end within its grace period', async () => {
    const supervised = run(DEAF);
    supervised.start();
    await up(children[0]);
    expect(await supervised.stop(50)).to.equal(false);
    expect(children[0]?.signalCode).to.equal('SIGKILL');
  });

  it('is not restarted if its exit code reports a wrong configuration', async () => {
    const supervised = run('process.exit(78)', {
      onBadConfig: (name) => said.push(`${name}: bad configuration`),
    });
    supervised.start();
    await once(children[0] as ChildProcess, 'exit');
    expect(said).to.deep.equal(['part: bad configuration']);
    await supervised.stop(1000);
    expect(children).to.have.length(1);
  });

  it('is started again after it was asked to end', async () => {
    const supervised = run(OBEDIENT);
    supervised.start();
    await up(children[0]);
    const second = spawned();
    supervised.replace();
    await up(await second);
    expect(children[0]?.exitCode).to.equal(0);
    await supervised.stop(5000);
  });

  it('is reported, without an exception, if its command cannot be run', async () => {
    const failed = new Promise<string>((resolve) => {
      const supervised = supervise({
        name: 'part',
        spawn: () => spawn('/no/such/command'),
        say: (line) => {
          void supervised.stop(0);
          resolve(line);
        },
      });
      supervised.start();
    });
    expect(await failed).to.match(/part ended \(spawn .* ENOENT\)/);
  });

  it('waits longer after each exit', async () => {
    const supervised = run('process.exit(3)');
    const third = new Promise<void>((resolve) => {
      next = () => children.length === 3 && resolve();
    });
    supervised.start();
    await third;
    await supervised.stop(5000);
    expect(said.slice(0, 2)).to.deep.equal([
      'part ended (exit code 3); starting it again in 100 ms',
      'part ended (exit code 3); starting it again in 200 ms',
    ]);
  });
});
