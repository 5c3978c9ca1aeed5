import type { ProblemCode } from '@sluice/contract/problem';
import type { Route, RouteTypes } from '@sluice/dashboard-api/route';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Sent } from './sent.ts';
import type { Things } from './things.ts';

type Routes = typeof ROUTES;
/** `sources.create` and so on: every route of the contract. */
export type RouteName = {
  [Group in keyof Routes & string]: `${Group}.${keyof Routes[Group] & string}`;
}[keyof Routes & string];

/** Every route of the contract with its name. */
export const ALL_ROUTES = Object.entries(ROUTES).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({
    name: `${group}.${name}` as RouteName,
    route: route as Route<RouteTypes>,
  })),
);

/** What a Zod schema does. */
interface Schema {
  parse(value: unknown): unknown;
}

export interface RouteCase {
  /** A right call, on things of the owner's account that are made for it. */
  readonly good: (things: Things) => Promise<Sent> | Sent;
  /** What holds its answer; a content type where it is no JSON; null where it has no body. */
  readonly answer: Schema | 'text/event-stream' | 'application/x-ndjson; charset=utf-8' | null;
  /** What makes the right call a wrong one, with the code of the refusal; null: it takes nothing that could be wrong. */
  readonly bad: (Sent & { readonly code: ProblemCode }) | null;
  /**
   * What somebody of another account gets for the same call: 404 as for what is not there; their `own` things and none
   * of these; or it is about nothing of an account.
   */
  readonly stranger: 'not_found' | 'own' | 'not_of_an_account';
}

/** The cases of one group of routes, all of them. */
export type CasesOf<Group extends keyof Routes> = {
  readonly [Name in RouteName & `${Group}.${string}`]: RouteCase;
};

export const INVALID = 'validation_failed';
export const NONE = 'not_found';

/** What is not there. */
export const unknown = (name: string) => ({ params: { [name]: 'id_of_nothing' }, code: NONE }) as const;

/** A route that takes nothing but the id of a thing. */
export function onOne(
  make: 'sourceParams' | 'overlapParams' | 'eventParams' | 'keyParams' | 'letterParams',
  param: string,
  answer: Schema | null,
): RouteCase {
  return { good: (things) => things[make](), answer, bad: unknown(param), stranger: 'not_found' };
}
