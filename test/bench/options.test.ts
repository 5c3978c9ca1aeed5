import { expect } from 'chai';
import { readOptions } from '../../bench/support/options.ts';

describe('bench: the command line', () => {
  const read = (...args: string[]) => readOptions(args, ['ingress', 'api']);

  it('has a default for each number', () => {
    const { figures, context } = read();
    expect(figures).to.deep.equal([]);
    expect(context).to.include({ quick: false, leads: 1e6, connections: 32, rounds: undefined });
  });

  it('names the figures in their order', () => {
    expect(read('api', 'ingress', '--rounds', '5')).to.deep.include({ figures: ['api', 'ingress'] });
  });

  for (const [args, reason] of [
    [['speed'], 'no figure is called speed'],
    [['--rounds', '0'], '--rounds must be a whole number above 0'],
    [['--leads', '1.5'], '--leads must be a whole number above 0'],
  ] as const) {
    it(`is wrong with ${args.join(' ')}`, () => {
      expect(() => read(...args)).to.throw(reason);
    });
  }
});
