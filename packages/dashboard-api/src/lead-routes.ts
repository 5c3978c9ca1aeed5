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
import { route } from './route.ts';

/** The account's leads, and imports of leads. */
export const LEAD_ROUTES = {
  list: route<{ query: LeadQuery; response: LeadPage }>('GET', '/leads', 'viewer'),
  /** Polled by open lists. */
  version: route<{ response: LeadsVersion }>('GET', '/leads/version', 'viewer'),
  /** A CSV file instead of JSON. For admins, because the service cannot erase people from a downloaded file. */
  export: route<{ query: LeadExport; response: null }>('GET', '/leads/export', 'admin'),
  create: route<{ body: NewLead; response: LeadItem }>('POST', '/leads', 'admin', 201),
  show: route<{ params: 'leadId'; response: LeadItem }>('GET', '/leads/:leadId', 'viewer'),
  history: route<{ params: 'leadId'; query: PageQuery; response: LeadHistory }>(
    'GET',
    '/leads/:leadId/history',
    'viewer',
  ),
  change: route<{ params: 'leadId'; body: LeadChange; response: LeadItem }>(
    'PATCH',
    '/leads/:leadId',
    'admin',
  ),
  move: route<{ params: 'leadId'; body: LeadMove; response: LeadItem }>(
    'POST',
    '/leads/:leadId/stage',
    'admin',
  ),
  /** Removes the person from every record, permanently. */
  erase: route<{ params: 'leadId'; response: null }>('DELETE', '/leads/:leadId', 'owner', 204),
  /** Shows what an import would do. Changes nothing. */
  checkImport: route<{ body: I.LeadImportCheck; response: I.LeadImportChecked }>(
    'POST',
    '/leads/import/check',
    'admin',
  ),
  import: route<{ body: I.LeadImportRows; response: I.LeadsImported }>('POST', '/leads/import', 'admin'),
  lastImport: route<{ response: I.LastLeadImport }>('GET', '/leads/import/last', 'admin'),
  /** Shows what an undo would do. Changes nothing. */
  checkUndo: route<{ body: I.LeadUndoRequest; response: I.LeadUndoPortion }>(
    'POST',
    '/leads/import/undo/check',
    'admin',
  ),
  undoImport: route<{ body: I.LeadUndoRequest; response: I.LeadUndoPortion }>(
    'POST',
    '/leads/import/undo',
    'admin',
  ),
} as const;
