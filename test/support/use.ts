import type { Context, Suite } from 'mocha';
import { ofTheRun } from './of-the-run.ts';
import { createStarted, type Started } from './started.ts';

/** What each describe block has started. */
const blocks = ofTheRun('blocks', () => new WeakMap<Suite, Started>());

interface Closable {
  close(): unknown;
}
interface Stoppable {
  stop(): unknown;
}

/**
 * Starts something before the tests of a describe block, and stops it after the `after` hooks of the block, the last one
 * first. The result stands for it, and can be used once the tests run. Default: its `close` or `stop` stops it.
 */
export function use<T extends Closable | Stoppable>(start: () => Promise<T>): T;
export function use<T extends object>(start: () => Promise<T>, stop: (one: T) => unknown): T;
export function use<T extends object>(start: () => Promise<T>, stop: (one: T) => unknown = stopOf): T {
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
      // A function with properties, such as an Express app, is no method.
      const isMethod = typeof value === 'function' && Object.keys(value).length === 0;
      return isMethod ? value.bind(started()) : value;
    },
    set: (_, name, value) => Reflect.set(started(), name, value),
    ownKeys: () => Reflect.ownKeys(started()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(started(), name),
  });
}

function stopOf(one: object): unknown {
  return 'close' in one ? (one as Closable).close() : (one as Stoppable).stop();
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
