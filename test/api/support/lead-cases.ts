import * as imports from '@sluice/dashboard-api/lead-imports';
import * as leads from '@sluice/dashboard-api/leads';
import * as pipeline from '@sluice/dashboard-api/pipeline';
import { type CasesOf, onOne } from './route-case.ts';

const ROWS = [{ row: 2, lead: { name: 'Ada', email: 'ada@example.com' } }];

/** Cases of leads, their imports, and the pipeline. */
export const LEAD_CASES: CasesOf<'leads'> & CasesOf<'pipeline'> = {
  'leads.list': {
    good: async ({ leadParams }) => {
      await leadParams();
      return { query: { q: 'lead', stage: 'stg_new' } };
    },
    answer: leads.leadPage,
    stranger: 'own',
  },
  'leads.version': { good: () => ({}), answer: leads.leadsVersion, stranger: 'own' },
  'leads.export': {
    good: () => ({}),
    answer: 'text/csv; charset=utf-8',
    stranger: 'own',
  },
  'leads.create': {
    good: () => ({ body: { name: 'Ada Lovelace', fields: { Budget: 5 } } }),
    answer: leads.leadItem,
    stranger: 'own',
  },
  'leads.show': onOne('leadParams', leads.leadItem),
  'leads.history': onOne('leadParams', leads.leadHistory),
  'leads.change': {
    good: async ({ leadParams }) => ({ ...(await leadParams()), body: { patch: { company: 'Engines' } } }),
    answer: leads.leadItem,
    stranger: 'not_found',
  },
  'leads.move': {
    good: async ({ leadParams }) => ({ ...(await leadParams()), body: { stage: 'stg_won', note: 'Signed' } }),
    answer: leads.leadItem,
    stranger: 'not_found',
  },
  'leads.erase': onOne('leadParams', null),
  'leads.checkImport': {
    good: () => ({ body: { match_on: ['email'], rows: ROWS } }),
    answer: imports.leadImportChecked,
    stranger: 'own',
  },
  'leads.import': {
    good: () => ({ body: { import_id: 'import_1', file_name: 'a.csv', match_on: ['email'], rows: ROWS } }),
    answer: imports.leadsImported,
    stranger: 'own',
  },
  'leads.lastImport': { good: () => ({}), answer: imports.lastLeadImport, stranger: 'own' },
  'leads.checkUndo': {
    good: async ({ doneLeadImport }) => ({ body: await doneLeadImport() }),
    answer: imports.leadUndoPortion,
    stranger: 'not_found',
  },
  'leads.undoImport': {
    good: async ({ doneLeadImport }) => ({ body: await doneLeadImport() }),
    answer: imports.leadUndoPortion,
    stranger: 'not_found',
  },

  'pipeline.show': { good: () => ({}), answer: pipeline.pipeline, stranger: 'own' },
  'pipeline.addStage': {
    good: ({ newName }) => ({ body: { name: newName(), kind: 'open' } }),
    answer: pipeline.pipeline,
    stranger: 'own',
  },
  'pipeline.changeStage': {
    good: async ({ stageParams, newName }) => ({ ...(await stageParams()), body: { name: newName() } }),
    answer: pipeline.pipeline,
    stranger: 'not_found',
  },
  'pipeline.orderStages': {
    good: async ({ stageIds }) => ({ body: { stages: (await stageIds()).toReversed() } }),
    answer: pipeline.pipeline,
    stranger: 'not_of_an_account',
  },
  'pipeline.retireStage': {
    good: async ({ stageParams }) => ({ ...(await stageParams()), body: { move_to: 'stg_new' } }),
    answer: pipeline.stageRetired,
    stranger: 'not_found',
  },
  'pipeline.setPhoneRegion': {
    good: () => ({ body: { phone_region: 'DE' } }),
    answer: pipeline.pipeline,
    stranger: 'own',
  },
};
