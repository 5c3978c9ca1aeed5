import { WriteStream } from 'node:tty';
import { expect } from 'chai';
import { colourOf, createPaint } from '../../services/cli/src/output.ts';

describe('cli: colours', () => {
  /** A terminal with this environment, as Node judges it. */
  const terminal = (env: Record<string, string>) => ({
    hasColors: () => WriteStream.prototype.hasColors.call(WriteStream.prototype, 16, env),
  });

  it('colour only what a terminal shows, and respect NO_COLOR', () => {
    const paint = createPaint(terminal({ TERM: 'xterm-256color' }));
    expect(paint('red', 'x')).to.equal('\u001b[31mx\u001b[39m');
    expect(createPaint(terminal({ TERM: 'xterm-256color', NO_COLOR: '1' }))('red', 'x')).to.equal('x');
    expect(createPaint(terminal({ TERM: 'dumb' }))('red', 'x')).to.equal('x');
    // A pipe or a file has no colours.
    expect(createPaint({})('red', 'x')).to.equal('x');
  });

  it('show a success in green, a rejection in yellow, and a failure or no response in red', () => {
    expect([200, 401, 503, null].map(colourOf)).to.deep.equal(['green', 'yellow', 'red', 'red']);
  });
});
