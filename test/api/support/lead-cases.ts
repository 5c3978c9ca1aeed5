import * as imports from '@sluice/dashboard-api/lead-imports';
import * as leads from '@sluice/dashboard-api/leads';
import * as pipeline from '@sluice/dashboard-api/pipeline';
import { type CasesOf, INVALID, NONE, onOne, unknown } from './route-case.ts';

const ROWS = [{ row: 2, lead: { name: 'Ada', email: 'ada@example.com' } }];

/** Cases of leads, their imports, and the pipeline. */
export const LEAD_CASES: CasesOf<'leads'> & CasesOf<'pipeline'> = {
  'leads.list': {
    good: async ({ leadParams }) => {
      await leadParams();
      return { query: { q: 'lead', stage: 'stg_new' } };
    },
    answer: leads.leadPage,
    bad: { query: { sort: 'name' }, code: INVALID },
    stranger: 'own',
  },
  'leads.version': { good: () => ({}), answer: leads.leadsVersion, bad: null, stranger: 'own' },
  'leads.export': {
    good: () => ({}),
    answer: 'text/csv; charset=utf-8',
    bad: { query: { q: 'a' }, code: INVALID },
    stranger: 'own',
  },
  'leads.create': {
    good: () => ({ body: { name: 'Ada Lovelace', fields: { Budget: 5 } } }),
    answer: leads.leadItem,
    bad: { body: { company: 'Nobody' }, code: INVALID },
    stranger: 'own',
  },
  'leads.show': onOne('leadParams', 'leadId', leads.leadItem),
  'leads.history': onOne('leadParams', 'leadId', leads.leadHistory),
  'leads.change': {
    good: async ({ leadParams }) => ({ ...(await leadParams()), body: { patch: { company: 'Engines' } } }),
    answer: leads.leadItem,
    bad: { body: { patch: { compny: 'Engines' } }, code: INVALID },
    stranger: 'not_found',
  },
  'leads.move': {
    good: async ({ leadParams }) => ({ ...(await leadParams()), body: { stage: 'stg_won', note: 'Signed' } }),
    answer: leads.leadItem,
    bad: { body: { stage: 'stg_nowhere' }, code: INVALID },
    stranger: 'not_found',
  },
  'leads.erase': onOne('leadParams', 'leadId', null),
  'leads.checkImport': {
    good: () => ({ body: { match_on: ['email'], rows: ROWS } }),
    answer: imports.leadImportChecked,
    bad: { body: { match_on: ['name'], rows: ROWS }, code: INVALID },
    stranger: 'own',
  },
  'leads.import': {
    good: () => ({ body: { import_id: 'import_1', file_name: 'a.csv', match_on: ['email'], rows: ROWS } }),
    answer: imports.leadsImported,
    bad: { body: { import_id: '../..', file_name: '', match_on: [], rows: ROWS }, code: INVALID },
    stranger: 'own',
  },
  'leads.lastImport': { good: () => ({}), answer: imports.lastLeadImport, bad: null, stranger: 'own' },
  'leads.checkUndo': {
    good: async ({ doneLeadImport }) => ({ body: await doneLeadImport() }),
    answer: imports.leadUndoPortion,
    bad: { body: { import_id: 'import_none' }, code: NONE },
    stranger: 'not_found',
  },
  'leads.undoImport': {
    good: async ({ doneLeadImport }) => ({ body: await doneLeadImport() }),
    answer: imports.leadUndoPortion,
    bad: { body: { import_id: 7 }, code: INVALID },
    stranger: 'not_found',
  },

  'pipeline.show': { good: () => ({}), answer: pipeline.pipeline, bad: null, stranger: 'own' },
  'pipeline.addStage': {
    good: ({ newName }) => ({ body: { name: newName(), kind: 'open' } }),
    answer: pipeline.pipeline,
    bad: { body: { name: 'Maybe', kind: 'perhaps' }, code: INVALID },
    stranger: 'own',
  },
  'pipeline.changeStage': {
    good: async ({ stageParams, newName }) => ({ ...(await stageParams()), body: { name: newName() } }),
    answer: pipeline.pipeline,
    bad: unknown('stageId'),
    stranger: 'not_found',
  },
  'pipeline.orderStages': {
    good: async ({ stageIds }) => ({ body: { stages: (await stageIds()).toReversed() } }),
    answer: pipeline.pipeline,
    bad: { body: { stages: ['stg_new'] }, code: 'conflict' },
    stranger: 'not_of_an_account',
  },
  'pipeline.retireStage': {
    good: async ({ stageParams }) => ({ ...(await stageParams()), body: { move_to: 'stg_new' } }),
    answer: pipeline.stageRetired,
    bad: unknown('stageId'),
    stranger: 'not_found',
  },
  'pipeline.setPhoneRegion': {
    good: () => ({ body: { phone_region: 'DE' } }),
    answer: pipeline.pipeline,
    bad: { body: { phone_region: 'Germany' }, code: INVALID },
    stranger: 'own',
  },
};
