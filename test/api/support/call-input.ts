import type { Person } from '../../support/api.ts';

/** The input of a route call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Default: the owner. */
  readonly who?: Person;
}
