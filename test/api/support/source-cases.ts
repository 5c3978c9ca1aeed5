import * as sources from '@sluice/dashboard-api/sources';
import { testSent } from '@sluice/dashboard-api/test-send';
import { upsertBody } from '../../support/signed.ts';
import { type CasesOf, INVALID, onOne } from './route-case.ts';

/** Cases of sources and their secrets. */
export const SOURCE_CASES: CasesOf<'sources'> = {
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
  'sources.deletion': onOne('sourceParams', 'sourceId', sources.sourceDeletion),
  'sources.delete': {
    good: async ({ sourceParams }) => ({ ...(await sourceParams()), body: { events: 'keep' } }),
    answer: null,
    bad: { body: { events: 'forget' }, code: INVALID },
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
};
