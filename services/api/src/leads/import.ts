import { type CheckedLeadRow, leadImportCheck, leadImportRows } from '@sluice/dashboard-api/lead-imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { checkLeadRow } from '@sluice/leads/import/check-lead-row';
import { importLeads } from '@sluice/leads/import/import-leads';
import type { Binder } from '../http/bind.ts';
import { LARGE_BODY_BYTES } from '../http/read-body.ts';
import { done } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { memberOf } from './write.ts';

/** Imports rows of a file: checks them, or creates and changes leads with the functions of the public API. */
export function leadImportRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { leadDeps, audited } = deps;

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
    const by = { accountId: who.accountId, by: who.user.email, actor: memberOf(who) };
    const target = { id: body.import_id, name: body.file_name };
    const { result } = await audited(who, request, {
      // The same id as the entry of each part, which has the counts.
      intent: { action: 'leads.imported', target, ongoing: body.import_id },
      work: () => importLeads(deps, { ...body, ...by }),
      deed: ({ deed }) => deed,
    });
    return done(result);
  });
}
