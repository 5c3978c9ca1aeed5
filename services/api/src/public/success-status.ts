import type { PublicRoute, SuccessStatus } from './declare-route.ts';

/** The successful statuses of a route, as declared. */
export function successStatuses({ success }: PublicRoute<never>): readonly SuccessStatus[] {
  return Object.keys(success).map(Number) as SuccessStatus[];
}

/** The status of a success that does not name one: 201 where the route creates, else 200 or 204. */
export function defaultStatus(route: PublicRoute<never>): SuccessStatus {
  const statuses = successStatuses(route);
  return statuses.includes(201) ? 201 : (statuses[0] as SuccessStatus);
}
