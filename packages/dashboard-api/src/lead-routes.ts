import type { PageQuery } from './common.ts';
import type * as I from './lead-imports.ts';
import type {
  LeadChange,
  LeadExport,
  LeadHistory,
  LeadItem,
  LeadMove,
  LeadPage,
  LeadQuery,
  LeadsVersion,
  NewLead,
} from './leads.ts';
import { get, io, patch, post, remove } from './route.ts';

/** The account's leads, and imports of leads. */
export const LEAD_ROUTES = {
  list: get('/leads', 'viewer', io<{ query: LeadQuery; response: LeadPage }>()),
  /** Polled by open lists. */
  version: get('/leads/version', 'viewer', io<{ response: LeadsVersion }>()),
  /** A CSV file instead of JSON. For admins, because the service cannot erase people from a downloaded file. */
  export: get('/leads/export', 'admin', io<{ query: LeadExport; response: null }>()),
  create: post('/leads', 'admin', io<{ body: NewLead; response: LeadItem }>(), 201),
  show: get('/leads/:leadId', 'viewer', io<{ response: LeadItem }>()),
  history: get('/leads/:leadId/history', 'viewer', io<{ query: PageQuery; response: LeadHistory }>()),
  change: patch('/leads/:leadId', 'admin', io<{ body: LeadChange; response: LeadItem }>()),
  move: post('/leads/:leadId/stage', 'admin', io<{ body: LeadMove; response: LeadItem }>()),
  /** Removes the person from every record, permanently. */
  erase: remove('/leads/:leadId', 'owner', io<{ response: null }>(), 204),
  /** Shows what an import would do. Changes nothing. */
  checkImport: post(
    '/leads/import/check',
    'admin',
    io<{ body: I.LeadImportCheck; response: I.LeadImportChecked }>(),
  ),
  import: post('/leads/import', 'admin', io<{ body: I.LeadImportRows; response: I.LeadsImported }>()),
  lastImport: get('/leads/import/last', 'admin', io<{ response: I.LastLeadImport }>()),
  /** Shows what an undo would do. Changes nothing. */
  checkUndo: post(
    '/leads/import/undo/check',
    'admin',
    io<{ body: I.LeadUndoRequest; response: I.LeadUndoPortion }>(),
  ),
  undoImport: post(
    '/leads/import/undo',
    'admin',
    io<{ body: I.LeadUndoRequest; response: I.LeadUndoPortion }>(),
  ),
} as const;
