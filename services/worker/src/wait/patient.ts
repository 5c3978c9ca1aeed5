import type { WaitOut } from './wait-out.ts';

type Operations<Name extends PropertyKey> = { readonly [N in Name]: (...args: never[]) => Promise<unknown> };

/** Wraps idempotent operations of the store, so that they wait for MongoDB while it is unavailable instead of failing. */
export function patient<Part extends Operations<Name>, Name extends keyof Part & string>(
  waitOut: WaitOut,
  part: Part,
  names: readonly Name[],
): Pick<Part, Name> {
  const wrapped = names.map((name) => [name, (...args: never[]) => waitOut.run(() => part[name](...args))]);
  return Object.fromEntries(wrapped) as Pick<Part, Name>;
}
