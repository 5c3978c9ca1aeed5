import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createJournalWriter } from '@sluice/embedded-mongodb/journal/journal-writer';
import { expect } from 'chai';
import { useFolder } from '../../support/folder.ts';
import { rejection } from '../support/database.ts';

describe('embedded-mongodb: the journal writer', () => {
  const folder = useFolder();

  async function opened() {
    const path = join(folder(), 'journal');
    const file = await open(path, 'w+');
    const calls: string[] = [];
    const write = file.write.bind(file) as (...args: unknown[]) => Promise<unknown>;
    const datasync = file.datasync.bind(file);
    Object.assign(file, {
      write: (...args: unknown[]) => {
        calls.push('write');
        return write(...args);
      },
      datasync: () => {
        calls.push('flush');
        return datasync();
      },
    });
    const failures: Error[] = [];
    const writer = createJournalWriter({ file, size: 0, onFatal: (error) => failures.push(error) });
    return { path, file, calls, failures, writer };
  }

  it('when a wait ends, the bytes are in the file in the order they were appended', async () => {
    const { path, writer } = await opened();
    const waits = [];
    for (let n = 0; n < 100; n++) {
      writer.append(Buffer.from(`${n},`));
      const expected = Array.from({ length: n + 1 }, (_, i) => `${i},`).join('');
      waits.push(
        writer.safe(n % 3 === 0).then(async () => {
          expect((await readFile(path, 'utf8')).startsWith(expected)).to.equal(true);
        }),
      );
      if (n % 7 === 0) await waits[n];
    }
    await Promise.all(waits);
    await writer.close();
  });

  it('all waits during a write are served by the next write and one flush', async () => {
    const { calls, writer } = await opened();
    const waits = Array.from({ length: 50 }, () => {
      writer.append(Buffer.from('x'));
      return writer.safe(true);
    });
    await Promise.all(waits);
    expect(calls.length).to.be.at.most(4);
    await writer.close();
  });

  it('a wait without a flush causes none, and without new bytes there is no write', async () => {
    const { calls, writer } = await opened();
    writer.append(Buffer.from('x'));
    await writer.safe(false);
    await writer.safe(false);
    expect(calls).to.deep.equal(['write']);
    await writer.close();
  });

  it('a wait that starts just as the last write ends is served', async () => {
    const { writer } = await opened();
    for (let n = 0; n < 300; n++) {
      writer.append(Buffer.from('x'));
      let wait = writer.safe(n % 5 === 0);
      // Starts a few microtasks after the wait is over: before, at and after the end of the work.
      for (let turns = n % 10; turns > 0; turns--) wait = wait.then(() => {});
      await wait;
    }
    await writer.close();
  });

  it('a failed write rejects all current and later waits, and is reported once', async () => {
    const { file, failures, writer } = await opened();
    Object.assign(file, { write: () => Promise.reject(new Error('ENOSPC: no space left on device')) });
    writer.append(Buffer.from('x'));
    const waits = [rejection(writer.safe(false)), rejection(writer.safe(true))];
    for (const error of await Promise.all(waits)) expect(error.message).to.match(/ENOSPC/);
    writer.append(Buffer.from('y'));
    expect((await rejection(writer.safe(false))).message).to.match(/ENOSPC/);
    expect(failures).to.have.length(1);
    await writer.close();
  });
});
