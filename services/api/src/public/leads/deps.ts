import type { LeadDeps } from '@sluice/leads/deps';

/** The dependencies of the routes about leads. */
export interface LeadRouteDeps {
  readonly leadDeps: LeadDeps;
}
