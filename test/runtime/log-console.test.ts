import { logConsole } from '@sluice/runtime/telemetry/logger';
import { expect } from 'chai';
import { recordingLogger } from '../support/silent-logger.ts';

const nobody = (..._args: unknown[]) => undefined;

describe('console output of libraries', () => {
  it('becomes a log line, once for each message', () => {
    const { logger, records } = recordingLogger();
    const written = { warn: nobody, error: nobody };
    logConsole(logger, written);
    for (let time = 0; time < 3; time += 1) written.warn('IMPORTANT! %s', 'Eviction policy');
    written.error(new Error('of a library').message);
    expect(records.map(({ event, msg }) => [event, msg])).to.deep.equal([
      ['library.warning', 'IMPORTANT! Eviction policy'],
      ['library.warning', 'of a library'],
    ]);
  });

  it('is limited when a library puts a time into its messages', () => {
    const { logger, records } = recordingLogger();
    const written = { warn: nobody, error: nobody };
    logConsole(logger, written);
    for (let time = 0; time < 1000; time += 1) written.warn(`at ${time}`);
    expect(records).to.have.lengthOf(100);
  });
});
