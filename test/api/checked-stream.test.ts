import { type Access, createCheckedStream } from '@sluice/api/deliveries/checked-stream';
import { expect } from 'chai';

/** A stream whose access checks are answered by the test, one after the other. */
function stream({ keep = 1000 } = {}) {
  const written: string[] = [];
  const checks: ((access: Access) => void)[] = [];
  const checked = createCheckedStream({
    checkAccess: () => new Promise((resolve) => checks.push(resolve)),
    write: (text) => void written.push(text),
    end: () => void written.push('END'),
    missed: 'MISSED',
    keep,
  });
  const answer = async (access: Access) => {
    checks.shift()?.(access);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...checked, written, checks, answer };
}

describe('api: a stream that checks access before it writes', () => {
  it('writes a row only after a check that began after the row arrived', async () => {
    const { offer, answer, written, checks } = stream();
    offer('a');
    offer('b');
    await answer('allowed');
    expect(written).to.deep.equal(['a']);
    expect(checks).to.have.length(1);
    await answer('gone');
    expect(written).to.deep.equal(['a', 'END']);
    offer('c');
    expect(checks).to.have.length(0);
  });

  it('keeps rows while the store is away, and writes them in order when it is back', async () => {
    const { offer, check, answer, written, checks } = stream();
    offer('a');
    offer('b');
    await answer('unknown');
    expect([...written, checks.length]).to.deep.equal([0]);
    check('still here');
    await answer('allowed');
    expect(written).to.deep.equal(['a', 'b', 'still here']);
  });

  it('reports missing rows if more arrived than it keeps', async () => {
    const { offer, answer, written } = stream({ keep: 8 });
    offer('a');
    offer('bbbbb');
    offer('ccccc');
    offer('d');
    await answer('allowed');
    await answer('allowed');
    expect(written).to.deep.equal(['a', 'MISSED', 'd']);
  });

  it('writes a heartbeat even while the store is away, and checks again if requested during a check', async () => {
    const { check, answer, written, checks } = stream();
    check('still here');
    check();
    await answer('unknown');
    expect(written).to.deep.equal(['still here']);
    expect(checks).to.have.length(1);
    await answer('gone');
    expect(written).to.deep.equal(['still here', 'END']);
  });
});
