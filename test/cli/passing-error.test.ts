import { UnconfirmedChangeError } from '@sluice/accounts/audit/unconfirmed-change';
import { PendingLimitError } from '@sluice/leads/change/pending-limit';
import { ContendedError } from '@sluice/leads/contention';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { failed } from '../../services/cli/src/exit-codes.ts';
import { passingError } from '../../services/cli/src/passing-error.ts';
import { startRedis } from '../support/redis-server.ts';
import { expectFailure, useInstallation } from './support.ts';

describe('an error during a command', () => {
  for (const [error, expected] of [
    [new Error('Command timed out'), /^Redis stopped responding \(Command timed out\)\. .*run it again\.$/],
    [
      new Error("Cluster isn't ready and enableOfflineQueue options is false"),
      /^Redis stopped responding \(Cluster isn't ready .*run it again\.$/,
    ],
    [
      new Error('NOREPLICAS Not enough good replicas to write.'),
      /^Redis cannot execute this now \(NOREPLICAS .*write\.\)\. .*run it again\.$/,
    ],
    [
      new mongoose.Error.MongooseServerSelectionError('no server'),
      /^MongoDB stopped responding .*run it again\.$/,
    ],
    [new ContendedError('too many changes'), /change this lead at the same time\. Run this command again\./],
    [new PendingLimitError('9 changes'), /Check Redis, then run this command again\./],
    [new UnconfirmedChangeError('Stored. Repeat the change.'), /^Stored\. Repeat the change\.$/],
  ] as const)
    it(`that passes is explained: ${error.name} ${error.message}`, async () => {
      expect(await passingError(error)).to.match(expected);
    });

  it('that is a bug, or that the command has explained, is not', async () => {
    for (const error of [new TypeError('x is not a function'), failed('There is no source src_1.'), 'text'])
      expect(await passingError(error)).to.equal(undefined);
  });

  describe('of a Redis that is full', () => {
    const used = useInstallation();

    it('exits with 75, says what to do, and prints no stack', async () => {
      const [source] = await used.json('source create --name Booking');
      const redis = await startRedis({ args: ['--maxmemory', '1'] });
      try {
        const done = await used.run(`source deactivate ${source?.source_id}`, {
          env: { REDIS_URL: redis.url },
        });
        expectFailure(done, 75, 'Redis is full').and.contain('more memory').and.not.contain('    at ');
      } finally {
        await redis.stop();
      }
    });
  });
});
