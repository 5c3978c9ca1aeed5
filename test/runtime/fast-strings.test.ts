import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** What a process with V8's own view of things prints: are the methods of strings fast? */
function fastStrings(program: string): string {
  const flags = ['--allow-natives-syntax', '--import', 'tsx', '--conditions=source', '--input-type=module'];
  // V8's syntax is no JavaScript that tsx could read.
  const show = "console.log(new Function('return %HasFastProperties(String.prototype)')());";
  return execFileSync(process.execPath, [...flags, '-e', `${program}\n${show}`], { encoding: 'utf8' }).trim();
}

describe('strings in a process that has loaded ioredis', () => {
  it('are slow by themselves: once they are not, fast-strings.ts can go', () => {
    expect(fastStrings("await import('ioredis');")).to.equal('false');
  });

  it('are as fast as elsewhere once a connection was opened', () => {
    const connect = `
      const { connectRedis } = await import('@sluice/runtime/redis/redis-connection');
      const logger = { child: () => logger, warn() {}, info() {}, error() {} };
      connectRedis({ url: 'redis://127.0.0.1:1', name: 'test', role: 'request', logger }).disconnect();`;
    expect(fastStrings(connect)).to.equal('true');
  });
});
