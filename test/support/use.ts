import type { Context, Suite } from 'mocha';
import { ofTheRun } from './of-the-run.ts';
import { createStarted, type Started } from './started.ts';

/** What each describe block has started. */
const blocks = ofTheRun('blocks', () => new WeakMap<Suite, Started>());

/**
 * Starts something before the tests of a describe block, and stops it after the `after` hooks of the block, the last one
 * first. The result stands for it, and can be used once the tests run.
 */
export function use<T extends object>(start: () => Promise<T>, stop: (one: T) => unknown): T {
  let one: T | undefined;
  before(async function () {
    one = await startedOf(this).keep(start(), stop);
  });
  const started = (): T => {
    if (one === undefined) throw new Error('it is started before the tests, and not yet');
    return one;
  };
  return new Proxy({} as T, {
    get(_, name) {
      const value = Reflect.get(started(), name);
      return typeof value === 'function' ? value.bind(started()) : value;
    },
    set: (_, name, value) => Reflect.set(started(), name, value),
    ownKeys: () => Reflect.ownKeys(started()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(started(), name),
  });
}

function startedOf(context: Context): Started {
  const block = context.test?.parent;
  if (block === undefined) throw new Error('not in a hook of a describe block');
  const known = blocks.get(block);
  if (known !== undefined) return known;
  const started = createStarted();
  blocks.set(block, started);
  block.afterAll(started.stop);
  return started;
}
