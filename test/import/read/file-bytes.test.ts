import { bytesOfFile, readLeadFile } from '@sluice/import/read/read-file';
import { expect } from 'chai';

const FOLDER = {
  name: 'spring',
  size: 4096,
  arrayBuffer: () => Promise.reject(new Error('A requested file or directory could not be found')),
};

describe('importing: files of a browser', () => {
  it('says what to do about a folder or a file that cannot be read', async () => {
    const read = await bytesOfFile(FOLDER);
    expect(read.outcome === 'refused' && read.why).to.match(
      /“spring” cannot be read.*folder.*choose it again/,
    );
    expect((await readLeadFile(FOLDER)).outcome).to.equal('refused');
  });

  it('rejects a file that is too large without reading it', async () => {
    const large = { ...FOLDER, size: 30 * 1024 * 1024 };
    const read = await bytesOfFile(large);
    expect(read.outcome === 'refused' && read.why).to.equal('The file is larger than 5 MB. Split it.');
  });
});
