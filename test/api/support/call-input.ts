import type { Person } from '../../support/api.ts';

/** What a route is called with. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Default: the owner. */
  readonly who?: Person;
}
