import type { Route, RouteTypes } from '@sluice/dashboard-api/route';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { CallInput } from './call-input.ts';
import type { TestObjects } from './test-objects.ts';

type Routes = typeof ROUTES;
/** The name of a route, such as `sources.create`. */
export type RouteName = {
  [Group in keyof Routes & string]: `${Group}.${keyof Routes[Group] & string}`;
}[keyof Routes & string];

/** Every route of the dashboard's API with its name. */
export const ALL_ROUTES = Object.entries(ROUTES).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({
    name: `${group}.${name}` as RouteName,
    route: route as Route<RouteTypes>,
  })),
);

/** The part of a Zod schema that is used here. */
interface Schema {
  parse(value: unknown): unknown;
}

/** The content types of responses that are not JSON. */
type FileType = 'application/x-ndjson; charset=utf-8' | 'text/csv; charset=utf-8';

export interface RouteCase {
  /** A valid call on objects that are created for it in the owner's account. */
  readonly good: (objects: TestObjects) => Promise<CallInput> | CallInput;
  /** The schema of the response; a content type if it is not JSON; null if it has no body. */
  readonly answer: Schema | FileType | null;
  /**
   * The response to the same call from another account: 404, or only that account's `own` objects. Or the route does
   * not concern an account.
   */
  readonly stranger: 'not_found' | 'own' | 'not_of_an_account';
}

/** The cases of one group of routes, all of them. */
export type CasesOf<Group extends keyof Routes> = {
  readonly [Name in RouteName & `${Group}.${string}`]: RouteCase;
};

/** A route whose only input is the id of an object. */
export function onOne(
  make:
    | 'sourceParams'
    | 'overlapParams'
    | 'channelParams'
    | 'conversationParams'
    | 'eventParams'
    | 'keyParams'
    | 'letterParams'
    | 'leadParams'
    | 'webhookParams'
    | 'pausedWebhookParams'
    | 'deadWebhookParams',
  answer: Schema | null,
): RouteCase {
  return { good: (objects) => objects[make](), answer, stranger: 'not_found' };
}
