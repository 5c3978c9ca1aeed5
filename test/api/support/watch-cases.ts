import * as audit from '@sluice/dashboard-api/audit';
import * as ops from '@sluice/dashboard-api/ops';
import { overview } from '@sluice/dashboard-api/overview';
import { logDays, overviewParts } from '@sluice/dashboard-api/overview-parts';
import { type CasesOf, onOne } from './route-case.ts';

const A_DAY = { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' };

/** Cases of the overview, the queues and the audit log. */
export const WATCH_CASES: CasesOf<'audit'> & CasesOf<'overview'> & CasesOf<'ops'> = {
  'audit.list': {
    good: () => ({ query: { action: 'source.created' } }),
    answer: audit.auditPage,
    stranger: 'own',
  },

  'overview.show': {
    good: () => ({ query: { range: '24h' } }),
    answer: overview,
    stranger: 'own',
  },
  'overview.parts': {
    good: () => ({ query: { ...A_DAY, status_class: '4xx' } }),
    answer: overviewParts,
    stranger: 'own',
  },
  'overview.days': { good: () => ({}), answer: logDays, stranger: 'own' },

  'ops.show': { good: () => ({}), answer: ops.ops, stranger: 'own' },
  'ops.operators': { good: () => ({}), answer: ops.operatorList, stranger: 'not_of_an_account' },
  'ops.deadLetters': { good: () => ({}), answer: ops.deadLetterList, stranger: 'own' },
  'ops.retryDeadLetter': onOne('letterParams', null),
  'ops.dropDeadLetter': onOne('letterParams', null),
};
