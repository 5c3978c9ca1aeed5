import * as deliveries from '@sluice/dashboard-api/deliveries';
import { eventChanges } from '@sluice/dashboard-api/event-changes';
import * as events from '@sluice/dashboard-api/events';
import * as imports from '@sluice/dashboard-api/imports';
import { type CasesOf, onOne } from './route-case.ts';

const ROWS = [{ row: 2, event: { title: 'Open day', starts_at: '2030-01-01T10:00:00Z' } }];

/** Cases of events, their changes and imports. */
export const EVENT_CASES: CasesOf<'events'> & CasesOf<'deliveries'> = {
  'events.list': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: events.eventPage,
    stranger: 'not_found',
  },
  'events.show': onOne('eventParams', events.eventDetail),
  'events.changes': onOne('eventParams', eventChanges),
  'events.edit': {
    good: async ({ eventParams, eventOf }) => {
      const input = await eventParams();
      const { title, starts_at, updated_at } = await eventOf(input);
      return { ...input, body: { seen: updated_at, event: { title, starts_at, price: 'Free' } } };
    },
    answer: events.eventEdited,
    stranger: 'not_found',
  },
  'events.cancel': onOne('eventParams', events.eventActionAccepted),
  'events.delete': onOne('eventParams', events.eventActionAccepted),
  'events.restore': onOne('eventParams', events.eventActionAccepted),
  'events.checkImport': {
    good: async ({ sourceParams }) => ({
      body: { source_id: (await sourceParams()).params?.sourceId, rows: ROWS },
    }),
    answer: imports.importChecked,
    stranger: 'not_found',
  },
  'events.findUids': {
    good: async ({ sourceParams }) => ({
      body: { source_id: (await sourceParams()).params?.sourceId, uids: ['1@example.org'] },
    }),
    answer: imports.uidsFound,
    stranger: 'not_found',
  },
  'events.findGone': {
    good: async ({ sourceParams }) => ({
      body: { source_id: (await sourceParams()).params?.sourceId, event_ids: ['evt_1'] },
    }),
    answer: imports.goneEvents,
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
    stranger: 'not_found',
  },
  'events.readFeed': {
    good: async ({ feedUrl }) => ({ body: { url: await feedUrl() } }),
    answer: imports.feedText,
    stranger: 'not_of_an_account',
  },
  'events.lastImport': { good: () => ({}), answer: imports.lastImport, stranger: 'own' },
  'events.checkUndo': {
    good: async ({ doneImport }) => ({ body: await doneImport() }),
    answer: imports.undoEffect,
    stranger: 'not_found',
  },
  'events.undoImport': {
    good: async ({ doneImport }) => ({ body: await doneImport() }),
    answer: imports.importUndone,
    stranger: 'not_found',
  },

  'deliveries.list': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: deliveries.deliveryPage,
    stranger: 'not_found',
  },
  'deliveries.changes': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: deliveries.deliveryChanges,
    stranger: 'not_found',
  },
  'deliveries.export': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id, format: 'ndjson' } }),
    answer: 'application/x-ndjson; charset=utf-8',
    stranger: 'not_found',
  },
  'deliveries.count': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: deliveries.deliveryCount,
    stranger: 'not_found',
  },
  'deliveries.size': {
    good: async ({ delivery }) => ({ query: { source_id: (await delivery()).source_id } }),
    answer: deliveries.logSize,
    stranger: 'not_found',
  },
  'deliveries.show': {
    good: async ({ delivery }) => ({ params: { deliveryId: (await delivery()).delivery_id } }),
    answer: deliveries.deliveryDetail,
    stranger: 'not_found',
  },
  'deliveries.reprocess': {
    good: async ({ delivery }) => ({ params: { deliveryId: (await delivery()).delivery_id } }),
    answer: deliveries.reprocessed,
    stranger: 'not_found',
  },
  'deliveries.reprocessMatching': {
    good: async ({ delivery }) => ({
      body: { filter: { source_id: (await delivery()).source_id }, expected: 1 },
    }),
    answer: deliveries.reprocessedMany,
    stranger: 'not_found',
  },
};
