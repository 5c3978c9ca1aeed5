import * as audit from '@sluice/dashboard-api/audit';
import * as ops from '@sluice/dashboard-api/ops';
import { overview } from '@sluice/dashboard-api/overview';
import { logDays, overviewParts } from '@sluice/dashboard-api/overview-parts';
import { type CasesOf, INVALID, onOne } from './route-case.ts';

const A_DAY = { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' };

/** Cases of the overview, the queues and the audit log. */
export const WATCH_CASES: CasesOf<'audit'> & CasesOf<'overview'> & CasesOf<'ops'> = {
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
