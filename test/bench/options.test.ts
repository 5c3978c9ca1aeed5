import { expect } from 'chai';
import { readOptions } from '../../bench/support/options.ts';

describe('bench: the command line', () => {
  const read = (...args: string[]) => readOptions(args, ['ingress', 'lag']);

  it('has a default for each number, and a shorter soak with --quick', () => {
    const { figures, resume, settings } = read();
    expect({ figures, resume }).to.deep.equal({ figures: [], resume: false });
    expect(settings).to.include({ quick: false, minutes: 10, share: 0.4, leads: 1e6, rounds: undefined });
    expect(read('--quick').settings.minutes).to.equal(0.5);
    expect(read('--quick', '--minutes', '3').settings.minutes).to.equal(3);
  });

  it('names the figures in their order', () => {
    expect(read('lag', 'ingress', '--resume', '--rounds', '5')).to.deep.include({
      figures: ['lag', 'ingress'],
      resume: true,
    });
  });

  for (const [args, reason] of [
    [['speed'], 'no figure is called speed'],
    [['--rounds', '0'], '--rounds must be a number above 0'],
    [['--actions', '1.5'], '--actions must be a whole number'],
    [['--minutes', 'ten'], '--minutes must be a number above 0'],
  ] as const) {
    it(`is wrong with ${args.join(' ')}`, () => {
      expect(() => read(...args)).to.throw(reason);
    });
  }
});
