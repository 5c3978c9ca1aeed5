import { type Access, createCheckedStream } from '@sluice/api/deliveries/checked-stream';
import { expect } from 'chai';

/** A stream whose looks are answered by the test, one after the other. */
function stream({ keep = 1000 } = {}) {
  const written: string[] = [];
  const looks: ((access: Access) => void)[] = [];
  const checked = createCheckedStream({
    look: () => new Promise((resolve) => looks.push(resolve)),
    write: (text) => void written.push(text),
    end: () => void written.push('END'),
    missed: 'MISSED',
    keep,
  });
  const answer = async (access: Access) => {
    looks.shift()?.(access);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...checked, written, looks, answer };
}

describe('api: a stream that looks before it writes', () => {
  it('writes a row only after a look that began after the row came', async () => {
    const { offer, answer, written, looks } = stream();
    offer('a');
    offer('b');
    await answer('allowed');
    expect(written).to.deep.equal(['a']);
    expect(looks).to.have.length(1);
    await answer('gone');
    expect(written).to.deep.equal(['a', 'END']);
    offer('c');
    expect(looks).to.have.length(0);
  });

  it('keeps rows while the store is away, and writes them in order when it is back', async () => {
    const { offer, check, answer, written, looks } = stream();
    offer('a');
    offer('b');
    await answer('unknown');
    expect([...written, looks.length]).to.deep.equal([0]);
    check('still here');
    await answer('allowed');
    expect(written).to.deep.equal(['a', 'b', 'still here']);
  });

  it('tells that rows are missing where more came meanwhile than it keeps', async () => {
    const { offer, answer, written } = stream({ keep: 8 });
    offer('a');
    offer('bbbbb');
    offer('ccccc');
    offer('d');
    await answer('allowed');
    await answer('allowed');
    expect(written).to.deep.equal(['a', 'MISSED', 'd']);
  });

  it('writes a heartbeat also while the store is away, and looks again when it is asked to during a look', async () => {
    const { check, answer, written, looks } = stream();
    check('still here');
    check();
    await answer('unknown');
    expect(written).to.deep.equal(['still here']);
    expect(looks).to.have.length(1);
    await answer('gone');
    expect(written).to.deep.equal(['still here', 'END']);
  });
});
