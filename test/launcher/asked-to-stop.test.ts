import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

const RUN = new URL('../../scripts/lib/run.mjs', import.meta.url).href;

/** Behaves like npm, which reports a failure, but not the signal that ended its command. */
const LIKE_NPM =
  'process.on("SIGTERM", () => process.exit(1)); console.log("up"); setInterval(() => {}, 1000)';
const LIKE_A_SERVICE = LIKE_NPM.replace('exit(1)', 'exit(0)');

async function stopped(childDoes: string): Promise<{ code: number | null; said: string }> {
  const program = `
    import { run } from ${JSON.stringify(RUN)};
    const code = await run(process.execPath, ['--eval', ${JSON.stringify(childDoes)}]);
    console.log(code === 0 ? 'done' : 'failed');
    process.exit(code);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = text(parent.stdout);
  parent.stdout.once('data', () => parent.kill('SIGTERM'));
  const [code] = (await once(parent, 'exit')) as [number | null];
  return { code, said: await said };
}

describe('npm start that is stopped while a command runs', () => {
  it('reports no failure if npm turns the signal into one', async () => {
    expect(await stopped(LIKE_NPM)).to.deep.equal({ code: 143, said: 'up\n' });
  });

  it('succeeds if the command succeeded', async () => {
    expect(await stopped(LIKE_A_SERVICE)).to.deep.equal({ code: 0, said: 'up\ndone\n' });
  });
});
