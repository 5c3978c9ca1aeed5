import * as audit from '@sluice/contract/dashboard/audit';
import * as deliveries from '@sluice/contract/dashboard/deliveries';
import { eventChanges } from '@sluice/contract/dashboard/event-changes';
import * as events from '@sluice/contract/dashboard/events';
import * as imports from '@sluice/contract/dashboard/imports';
import * as keys from '@sluice/contract/dashboard/keys';
import * as members from '@sluice/contract/dashboard/members';
import * as ops from '@sluice/contract/dashboard/ops';
import { overview } from '@sluice/contract/dashboard/overview';
import { logDays, overviewParts } from '@sluice/contract/dashboard/overview-parts';
import type { Route, RouteTypes } from '@sluice/contract/dashboard/route';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import * as session from '@sluice/contract/dashboard/session';
import * as sources from '@sluice/contract/dashboard/sources';
import { testSent } from '@sluice/contract/dashboard/test-send';
import type { ProblemCode } from '@sluice/contract/problem';
import { PASSWORD, type Person } from '../../support/api.ts';
import { upsertBody } from '../../support/signed.ts';
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

/** What a route is called with. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Default: the owner. */
  readonly who?: Person;
}

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

const INVALID = 'validation_failed';
const A_DAY = { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' };
const NONE = 'not_found';
const ROWS = [{ row: 2, event: { title: 'Open day', starts_at: '2030-01-01T10:00:00Z' } }];
const unknown = (name: string) => ({ params: { [name]: 'id_of_nothing' }, code: NONE }) as const;

/** A route that takes nothing but the id of a thing. */
function onOne(
  make: 'sourceParams' | 'overlapParams' | 'eventParams' | 'keyParams' | 'letterParams',
  param: string,
  answer: Schema | null,
): RouteCase {
  return { good: (things) => things[make](), answer, bad: unknown(param), stranger: 'not_found' };
}

/** Calls of every route. A route that the contract has and this table has not is an error of the compiler. */
export const CASES: Record<RouteName, RouteCase> = {
  'session.signIn': {
    good: async ({ newPerson }) => ({
      body: { email: (await newPerson()).me.user.email, password: PASSWORD },
    }),
    answer: session.me,
    bad: { body: { email: 'no email', password: '' }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.me': { good: () => ({}), answer: session.me, bad: null, stranger: 'own' },
  'session.signOut': {
    good: async ({ newPerson }) => ({ who: await newPerson() }),
    answer: null,
    bad: null,
    stranger: 'not_of_an_account',
  },
  'session.switchAccount': {
    good: ({ accountId }) => ({ body: { account_id: accountId } }),
    answer: session.me,
    bad: { body: { account_id: 7 }, code: INVALID },
    stranger: 'not_found',
  },
  'session.changePassword': {
    good: async ({ newPerson }) => ({
      who: await newPerson(),
      body: { current_password: PASSWORD, new_password: 'another long password' },
    }),
    answer: null,
    bad: { body: { current_password: PASSWORD, new_password: 'short' }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.list': { good: () => ({}), answer: session.sessionList, bad: null, stranger: 'own' },
  'session.end': {
    good: async ({ otherSession }) => ({ params: { sessionId: await otherSession() } }),
    answer: null,
    bad: unknown('sessionId'),
    stranger: 'not_found',
  },
  'session.endOthers': {
    good: async ({ newPerson }) => ({ who: await newPerson() }),
    answer: null,
    bad: null,
    stranger: 'not_of_an_account',
  },
  'session.welcomeCheck': {
    good: async ({ invite }) => ({ body: { token: (await invite()).token } }),
    answer: session.welcomeLink,
    bad: { body: { token: 1 }, code: INVALID },
    stranger: 'not_of_an_account',
  },
  'session.welcome': {
    good: async ({ invite }) => ({
      body: { token: (await invite()).token, name: 'Grace', email: 'grace@example.com', password: PASSWORD },
    }),
    answer: session.me,
    bad: { body: { token: 'x', name: '', email: 'grace', password: 'short' }, code: INVALID },
    stranger: 'not_of_an_account',
  },

  'sources.list': { good: () => ({}), answer: sources.sourceList, bad: null, stranger: 'own' },
  'sources.create': {
    good: () => ({ body: { name: 'Booking' } }),
    answer: sources.sourceCreated,
    bad: { body: { name: ' ' }, code: INVALID },
    stranger: 'own',
  },
  'sources.show': onOne('sourceParams', 'sourceId', sources.sourceWithActivity),
  'sources.revealSecret': onOne('sourceParams', 'sourceId', sources.sourceSecret),
  'sources.prepareRotation': onOne('sourceParams', 'sourceId', sources.rotationPrepared),
  'sources.confirmRotation': {
    good: async ({ preparedRotation }) => preparedRotation(),
    answer: sources.source,
    bad: { body: { rotation_token: 'made up' }, code: 'rotation_stale' },
    stranger: 'not_found',
  },
  'sources.endOverlap': onOne('overlapParams', 'sourceId', sources.source),
  'sources.rotationCheck': onOne('sourceParams', 'sourceId', sources.rotationCheck),
  'sources.setActive': {
    good: async ({ sourceParams }) => ({ ...(await sourceParams()), body: { active: false } }),
    answer: sources.source,
    bad: { body: { active: 'no' }, code: INVALID },
    stranger: 'not_found',
  },
  'sources.settings': {
    good: async ({ sourceParams }) => ({
      ...(await sourceParams()),
      body: { name: 'New name', rate_burst: null },
    }),
    answer: sources.source,
    bad: { body: { rate_per_second: 0 }, code: INVALID },
    stranger: 'not_found',
  },
  'sources.testSend': {
    good: async ({ sourceParams }) => ({
      ...(await sourceParams()),
      body: { body: JSON.stringify(upsertBody()), break: 'none' },
    }),
    answer: testSent,
    bad: { body: { body: '{}', break: 'everything' }, code: INVALID },
    stranger: 'not_found',
  },

  'deliveries.list': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: deliveries.deliveryPage,
    bad: { query: { status: 'abc' }, code: INVALID },
    stranger: 'not_found',
  },
  'deliveries.live': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: 'text/event-stream',
    bad: { query: { source_id: 'src_none' }, code: NONE },
    stranger: 'not_found',
  },
  'deliveries.export': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id, format: 'ndjson' } }),
    answer: 'application/x-ndjson; charset=utf-8',
    bad: { query: { format: 'xml' }, code: INVALID },
    stranger: 'not_found',
  },
  'deliveries.count': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: deliveries.deliveryCount,
    bad: { query: { outcome: 'splendid' }, code: INVALID },
    stranger: 'not_found',
  },
  'deliveries.size': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: deliveries.logSize,
    bad: { query: { source_id: '' }, code: 'not_found' },
    stranger: 'not_found',
  },
  'deliveries.show': {
    good: async ({ delivery }) => ({ params: { deliveryId: (await delivery()).delivery_id } }),
    answer: deliveries.deliveryDetail,
    bad: unknown('deliveryId'),
    stranger: 'not_found',
  },
  'deliveries.reprocess': {
    good: async ({ delivery }) => ({ params: { deliveryId: (await delivery()).delivery_id } }),
    answer: deliveries.reprocessed,
    bad: unknown('deliveryId'),
    stranger: 'not_found',
  },
  'deliveries.reprocessMatching': {
    good: async ({ delivery }) => ({
      body: { filter: { source_id: (await delivery()).source_id }, expected: 1 },
    }),
    answer: deliveries.reprocessedMany,
    bad: { body: { filter: {}, expected: -1 }, code: INVALID },
    stranger: 'not_found',
  },

  'events.list': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: events.eventPage,
    bad: { query: { when: 'someday' }, code: INVALID },
    stranger: 'not_found',
  },
  'events.show': onOne('eventParams', 'eventId', events.eventDetail),
  'events.changes': onOne('eventParams', 'eventId', eventChanges),
  'events.cancel': onOne('eventParams', 'eventId', events.eventActionAccepted),
  'events.delete': onOne('eventParams', 'eventId', events.eventActionAccepted),
  'events.checkImport': {
    good: async ({ sourceParams }) => ({
      body: { source_id: (await sourceParams()).params?.sourceId, rows: ROWS },
    }),
    answer: imports.importChecked,
    bad: { body: { source_id: 'src_none', rows: [] }, code: INVALID },
    stranger: 'not_found',
  },
  'events.import': {
    good: async ({ sourceParams }) => ({
      body: {
        source_id: (await sourceParams()).params?.sourceId,
        import_id: 'import_1',
        file_name: 'a.csv',
        rows: ROWS,
      },
    }),
    answer: imports.importAccepted,
    bad: { body: { source_id: 'src_none', import_id: '../..', file_name: '', rows: ROWS }, code: INVALID },
    stranger: 'not_found',
  },

  'events.readFeed': {
    good: async ({ feedUrl }) => ({ body: { url: await feedUrl() } }),
    answer: imports.feedText,
    bad: { body: { url: 'file:///etc/passwd' }, code: 'feed_unreadable' },
    stranger: 'not_of_an_account',
  },
  'events.lastImport': { good: () => ({}), answer: imports.lastImport, bad: null, stranger: 'own' },
  'events.checkUndo': {
    good: async ({ doneImport }) => ({ body: await doneImport() }),
    answer: imports.undoEffect,
    bad: { body: { source_id: 'src_none', import_id: 'import_none' }, code: NONE },
    stranger: 'not_found',
  },
  'events.undoImport': {
    good: async ({ doneImport }) => ({ body: await doneImport() }),
    answer: imports.importUndone,
    bad: { body: { source_id: 7 }, code: INVALID },
    stranger: 'not_found',
  },

  'keys.list': { good: () => ({}), answer: keys.keyList, bad: null, stranger: 'own' },
  'keys.create': {
    good: () => ({ body: { name: 'CRM', scopes: ['read:leads'], expires_at: '2036-01-01T00:00:00Z' } }),
    answer: keys.keyCreated,
    bad: { body: { name: 'CRM', scopes: ['read:everything'] }, code: INVALID },
    stranger: 'own',
  },
  'keys.revoke': onOne('keyParams', 'keyId', keys.keyItem),

  'members.list': { good: () => ({}), answer: members.memberList, bad: null, stranger: 'own' },
  'members.invite': {
    good: () => ({ body: { role: 'viewer', email: 'linus@example.com' } }),
    answer: members.inviteCreated,
    bad: { body: { role: 'king' }, code: INVALID },
    stranger: 'own',
  },
  'members.withdrawInvite': {
    good: async ({ invite }) => ({ params: { inviteId: (await invite()).id } }),
    answer: null,
    bad: unknown('inviteId'),
    stranger: 'not_found',
  },
  'members.changeRole': {
    good: async ({ newPerson }) => ({
      params: { userId: (await newPerson()).me.user.user_id },
      body: { role: 'viewer' },
    }),
    answer: members.member,
    bad: { body: { role: 'king' }, code: INVALID },
    stranger: 'not_found',
  },
  'members.remove': {
    good: async ({ newPerson }) => ({ params: { userId: (await newPerson()).me.user.user_id } }),
    answer: null,
    bad: unknown('userId'),
    stranger: 'not_found',
  },

  'audit.list': {
    good: () => ({ query: { action: 'source.created' } }),
    answer: audit.auditPage,
    bad: { query: { action: 'slept' }, code: INVALID },
    stranger: 'own',
  },
  'overview.show': {
    good: () => ({ query: { range: '24h' } }),
    answer: overview,
    bad: { query: { range: '1y' }, code: INVALID },
    stranger: 'own',
  },
  'overview.parts': {
    good: () => ({ query: { ...A_DAY, status_class: '4xx' } }),
    answer: overviewParts,
    bad: { query: { ...A_DAY, from: 'yesterday' }, code: INVALID },
    stranger: 'own',
  },
  'overview.days': { good: () => ({}), answer: logDays, bad: null, stranger: 'own' },
  'ops.show': { good: () => ({}), answer: ops.ops, bad: null, stranger: 'own' },
  'ops.operators': { good: () => ({}), answer: ops.operatorList, bad: null, stranger: 'not_of_an_account' },
  'ops.deadLetters': { good: () => ({}), answer: ops.deadLetterList, bad: null, stranger: 'own' },
  'ops.retryDeadLetter': onOne('letterParams', 'deliveryId', null),
  'ops.dropDeadLetter': onOne('letterParams', 'deliveryId', null),
};
