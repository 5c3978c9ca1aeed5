import { hash } from 'node:crypto';
import {
  type CheckedLeadRow,
  type LeadImportRow,
  type LeadImportRows,
  type LeadsImported,
  leadImportCheck,
  leadImportRows,
} from '@sluice/dashboard-api/lead-imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { createLead } from '@sluice/leads/create-lead';
import type { LeadDeps } from '@sluice/leads/deps';
import type { LeadImports } from '@sluice/store/lead-imports';
import type { LeadSettings } from '@sluice/store/lead-settings';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { LARGE_BODY_BYTES } from '../http/read-body.ts';
import { done } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { checkLeadRow } from './check-lead-row.ts';
import { readLeadRow } from './read-lead-row.ts';
import { memberOf } from './write.ts';
import { wrongField } from './written.ts';

export interface LeadImportDeps {
  readonly leadDeps: LeadDeps;
  readonly leadImports: Pick<LeadImports, 'notePart' | 'findImport'>;
  readonly audit: Audit;
  readonly now: () => number;
}

/** Imports rows of a file: checks them, or creates and changes leads with the functions of the public API. */
export function leadImportRoutes({ guarded }: Binder, deps: LeadImportDeps): void {
  const { leadDeps, leadImports, audit } = deps;

  const check = { body: leadImportCheck, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.leads.checkImport, check, async ({ who, body: { match_on, rows } }) => {
    const settings = await leadDeps.settings.readFresh(who.accountId);
    const checked: CheckedLeadRow[] = [];
    for (const row of rows)
      checked.push(
        await checkLeadRow(leadDeps, { accountId: who.accountId, settings, matchOn: match_on, row }),
      );
    return done({ rows: checked });
  });

  const inputs = { body: leadImportRows, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.leads.import, inputs, async ({ who, body, request }) => {
    const settings = await leadDeps.settings.readFresh(who.accountId);
    const part = (lead_ids: readonly string[]) => ({
      ...{ account_id: who.accountId, by: who.user.email, at: deps.now(), lead_ids },
      ...{ import_id: body.import_id, file_name: body.file_name },
      ...{ first_row: body.rows[0]?.row ?? 1, last_row: body.rows.at(-1)?.row ?? 1 },
    });
    // Recorded before any row has its effect: an import without a record could not be undone.
    await leadImports.notePart(part(body.rows.map((row) => newLeadId(who, body, row))));
    const { leadIds, ...result } = await importAll(leadDeps, who, body, settings);
    await leadImports.notePart(part(leadIds));
    const whole = await leadImports.findImport(who.accountId, body.import_id);
    if (whole !== undefined && whole.lead_ids.length > 0)
      await audit(who, request, {
        action: 'leads.imported',
        target: { id: body.import_id, name: body.file_name },
        detail: `rows ${whole.first_row} to ${whole.last_row}: ${whole.lead_ids.length} leads`,
        ongoing: body.import_id,
      });
    return done(result);
  });
}

interface Imported extends LeadsImported {
  /** The leads that the rows created or matched. */
  readonly leadIds: readonly string[];
}

/** Row after row, because two rows can be about the same lead. */
async function importAll(
  leadDeps: LeadDeps,
  who: SignedIn,
  body: LeadImportRows,
  settings: LeadSettings,
): Promise<Imported> {
  const counts = { created: 0, changed: 0, unchanged: 0 };
  const refused: LeadsImported['refused'] = [];
  const leadIds: string[] = [];
  const actor = { ...memberOf(who), import_id: body.import_id };
  for (const row of body.rows) {
    const read = readLeadRow(row, settings);
    if (read.outcome === 'bad') {
      refused.push({ row: row.row, detail: read.errors.map(inWords).join(' ') });
      continue;
    }
    const written = await createLead(leadDeps, {
      ...{ accountId: who.accountId, input: read.input, matchOn: body.match_on, actor },
      ...{ origin: 'import' as const, ids: { lead: newLeadId(who, body, row) } },
    });
    switch (written.status) {
      case 'created':
      case 'changed':
      case 'unchanged':
        counts[written.status] += 1;
        leadIds.push(written.lead.lead_id);
        break;
      case 'erased':
        refused.push({ row: row.row, detail: 'The lead of this row was erased. Import the file again.' });
        break;
      default:
        refused.push({ row: row.row, detail: inWords(wrongField(written)) });
    }
  }
  const { created, changed, unchanged } = counts;
  return { created, updated: changed, unchanged, refused, leadIds };
}

/** The same row of the same import has the same id, so a repeated request makes no second lead. */
function newLeadId({ accountId }: SignedIn, { import_id }: LeadImportRows, { row }: LeadImportRow): string {
  return `lead_${hash('sha256', JSON.stringify([accountId, import_id, row]), 'hex').slice(0, 32)}`;
}

function inWords({ field, detail }: { readonly field: string | null; readonly detail: string }): string {
  return field === null ? detail : `${field}: ${detail}`;
}
