import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { startMongo } from '../support/mongo-process.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { expectFailure, type Run, sluice } from './support.ts';

describe('sluice', () => {
  for (const [args, expected] of [
    [['sourc'], 'Did you mean source?'],
    [['source', 'creat'], 'Did you mean create?'],
    [['events', 'list', '--source', 'x', '--includ-deleted'], 'Did you mean --include-deleted?'],
    [['source', 'create'], "required option '--name <name>' not specified"],
    [['source', 'create', '--name', ' '], 'Empty. Give it a name.'],
    [['account', 'create', '--name', ''], 'Empty. Give it a name.'],
    [['key', 'create', '--name', 'x'.repeat(101), '--scopes', 'webhooks'], 'Longer than 100 characters.'],
    [['source', 'show'], "missing required argument 'source_id'"],
    [['source', 'show', 'a', 'b'], 'too many arguments'],
    [['deliveries', 'list', '--source', 'x', '--limit', '0'], 'whole number above 0'],
    [['verify', '--secret', 'whsec_1'], 'Secrets are never arguments'],
    [['send', 'upsert', '--secret', 'whsec_1'], 'pass --secret-file FILE'],
    [['account', 'set-plan', 'a'], 'Name one account and one plan'],
    [[], 'Usage: sluice'],
    [['key'], 'Usage: sluice key'],
  ] as const) {
    it(`reports wrong usage (2) and what to do for: ${args.join(' ').slice(0, 60) || 'no arguments'}`, async () => {
      const done = await sluice(args, {
        env: { REDIS_URL: 'redis://127.0.0.1:1', MONGO_URL: 'mongodb://127.0.0.1:1' },
      });
      expectFailure(done, 2, expected);
    });
  }

  it('prints --help to stdout, with an example', async () => {
    for (const args of [['--help'], ['send', '--help'], ['source', 'create', '--help']]) {
      const done = await sluice(args);
      expect(done).to.include({ code: 0, stderr: '' });
      expect(done.stdout).to.contain('Example');
    }
  });

  describe('exits quickly with 75 and says what to do', () => {
    const away = async () => `127.0.0.1:${await freePort()}`;
    const expectLater = (done: Run, expected: string) => {
      expectFailure(done, 75, expected).and.not.contain('    at ').and.not.contain('hunter2');
    };

    it('when nothing is running in DATA_DIR', async () => {
      expectLater(await sluice(['source', 'list'], { env: { DATA_DIR: '/nonexistent' } }), 'npm start');
    });

    it('when MongoDB is unavailable', async () => {
      const env = { REDIS_URL: sharedRedisUrl(), MONGO_URL: `mongodb://me:hunter2@${await away()}/x` };
      expectLater(await sluice(['source', 'list'], { env }), 'MongoDB at mongodb://127.0.0.1:');
    });

    it('when Redis is unavailable', async () => {
      const env = { REDIS_URL: `redis://:hunter2@${await away()}`, MONGO_URL: `mongodb://${await away()}` };
      expectLater(await sluice(['dead-letters', 'list'], { env }), 'Redis at redis://127.0.0.1:');
    });
  });

  it('fails with 1, not 75, when MongoDB refuses the user of MONGO_URL', async () => {
    const server = await startMongo();
    try {
      const url = server.url.replace('//', '//someone:hunter2@');
      const done = await sluice(['source', 'list'], {
        env: { REDIS_URL: 'redis://127.0.0.1:1', MONGO_URL: url },
      });
      expectFailure(done, 1, 'refuses the connection').and.contain('MONGO_URL');
      expect(done.stderr).to.not.contain('hunter2').and.not.contain('    at ');
    } finally {
      await server.stop();
    }
  });

  it('fails with an invalid configuration and names the variable', async () => {
    const done = await sluice(['source', 'list'], {
      env: { REDIS_URL: 'http://x', MONGO_URL: 'mongodb://127.0.0.1:1' },
    });
    expectFailure(done, 1, 'REDIS_URL');
  });
});
