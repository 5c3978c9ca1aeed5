import { createRecent } from '@sluice/outbound/publish/recent';
import { expect } from 'chai';

describe('publishing: what was read recently', () => {
  function setUp() {
    const parts = { reads: 0, now: 0, fail: false };
    const recent = createRecent({
      now: () => parts.now,
      async read(key) {
        parts.reads += 1;
        if (parts.fail) throw new Error('Redis is away');
        return `${key} ${parts.reads}`;
      },
    });
    return { parts, recent };
  }

  it('is read once a second for each key, also by concurrent callers', async () => {
    const { parts, recent } = setUp();
    expect(await Promise.all([recent.of('a'), recent.of('a')])).to.deep.equal(['a 1', 'a 1']);
    parts.now = 999;
    expect(await recent.of('a')).to.equal('a 1');
    expect(await recent.of('b')).to.equal('b 2');
    parts.now = 1000;
    expect(await recent.of('a')).to.equal('a 3');
  });

  it('is read again after an error', async () => {
    const { parts, recent } = setUp();
    parts.fail = true;
    const failed = await recent.of('a').catch((error: Error) => error.message);
    expect(failed).to.equal('Redis is away');
    parts.fail = false;
    expect(await recent.of('a')).to.equal('a 2');
  });
});
