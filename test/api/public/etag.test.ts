import { formatEtag, readIfMatch } from '@sluice/api/public/layer/send-result';
import { expect } from 'chai';
import * as z from 'zod';

describe('api: the ETag of a record', () => {
  const record = z.object({ id: z.string() });

  it('differs for another revision and for a record with another field, and for nothing else', () => {
    const tag = formatEtag(7, record);
    expect(tag).to.match(/^"7-[\da-f]{8}"$/);
    expect(formatEtag(7, z.object({ id: z.string() }))).to.equal(tag);
    expect(formatEtag(8, record)).to.not.equal(tag);
    const added = record.extend({ name: z.string().nullable() });
    expect(formatEtag(7, added)).to.not.equal(tag);
  });

  it('is read with what a proxy that compresses adds to it', () => {
    const tag = formatEtag(7, record).slice(1, -1);
    for (const sent of [tag, `${tag}-gzip`, `${tag}--gzip`, `${tag}-br`, `${tag}-zstd`])
      expect(readIfMatch(`"${sent}"`), sent).to.deep.equal([7]);
    expect(readIfMatch(`W/"${tag}-gzip", "8"`)).to.deep.equal([7, 8]);
    for (const other of [`"${tag}-gzipped"`, `"${tag}x"`, tag]) expect(readIfMatch(other)).to.deep.equal([]);
  });
});
