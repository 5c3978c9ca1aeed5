import { senderChanged, sourceSender } from '@sluice/dashboard-api/senders';
import * as sources from '@sluice/dashboard-api/sources';
import { testSent } from '@sluice/dashboard-api/test-send';
import { upsertBody } from '../../support/signed.ts';
import { type CasesOf, onOne } from './route-case.ts';

/** Cases of sources and their secrets. */
export const SOURCE_CASES: CasesOf<'sources'> = {
  'sources.list': { good: () => ({}), answer: sources.sourceList, stranger: 'own' },
  'sources.create': {
    good: () => ({ body: { name: 'Booking' } }),
    answer: sources.sourceCreated,
    stranger: 'own',
  },
  'sources.show': onOne('sourceParams', sources.sourceWithActivity),
  'sources.revealSecret': onOne('sourceParams', sources.sourceSecret),
  'sources.prepareRotation': onOne('sourceParams', sources.rotationPrepared),
  'sources.confirmRotation': {
    good: async ({ preparedRotation }) => preparedRotation(),
    answer: sources.source,
    stranger: 'not_found',
  },
  'sources.pasteSecret': {
    good: async ({ foreignSourceParams }) => ({
      ...(await foreignSourceParams()),
      body: { secret: 'a secret of the platform' },
    }),
    answer: sources.source,
    stranger: 'not_found',
  },
  'sources.endOverlap': onOne('overlapParams', sources.source),
  'sources.rotationCheck': onOne('sourceParams', sources.rotationCheck),
  'sources.setActive': {
    good: async ({ sourceParams }) => ({ ...(await sourceParams()), body: { active: false } }),
    answer: sources.source,
    stranger: 'not_found',
  },
  'sources.settings': {
    good: async ({ sourceParams }) => ({
      ...(await sourceParams()),
      body: { name: 'New name', rate_burst: null },
    }),
    answer: sources.source,
    stranger: 'not_found',
  },
  'sources.deletion': onOne('sourceParams', sources.sourceDeletion),
  'sources.delete': {
    good: async ({ sourceParams }) => ({ ...(await sourceParams()), body: { events: 'keep' } }),
    answer: null,
    stranger: 'not_found',
  },
  'sources.sender': onOne('sourceParams', sourceSender),
  'sources.changeSender': {
    good: async ({ sourceParams }) => ({ ...(await sourceParams()), body: { preset: 'github' } }),
    answer: senderChanged,
    stranger: 'not_found',
  },
  'sources.changeMapping': {
    good: async ({ foreignSourceParams }) => ({
      ...(await foreignSourceParams()),
      body: { mapping: { rules: [{ do: 'ignore' }] } },
    }),
    answer: sourceSender,
    stranger: 'not_found',
  },
  'sources.testSend': {
    good: async ({ sourceParams }) => ({
      ...(await sourceParams()),
      body: { body: JSON.stringify(upsertBody()), break: 'none' },
    }),
    answer: testSent,
    stranger: 'not_found',
  },
};
