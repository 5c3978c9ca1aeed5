import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** Prints V8's answer to the question whether string methods are fast. */
function fastStrings(program: string): string {
  const flags = ['--allow-natives-syntax', '--import', 'tsx', '--conditions=source', '--input-type=module'];
  // tsx cannot parse V8's native syntax.
  const show = "console.log(new Function('return %HasFastProperties(String.prototype)')());";
  return execFileSync(process.execPath, [...flags, '-e', `${program}\n${show}`], { encoding: 'utf8' }).trim();
}

describe('strings in a process that has loaded ioredis', () => {
  it('are slow without restoreFastStrings (delete that function once this fails)', () => {
    expect(fastStrings("await import('ioredis');")).to.equal('false');
  });

  it('are as fast as without ioredis once a connection was opened', () => {
    const connect = `
      const { connectRedis } = await import('@sluice/redis/connection/redis-connection');
      const logger = { child: () => logger, warn() {}, info() {}, error() {} };
      connectRedis({ url: 'redis://127.0.0.1:1', name: 'test', role: 'request', logger }).disconnect();`;
    expect(fastStrings(connect)).to.equal('true');
  });
});
