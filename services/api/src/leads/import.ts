import { type CheckedLeadRow, leadImportCheck, leadImportRows } from '@sluice/dashboard-api/lead-imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { checkLeadRow } from '@sluice/leads/check-lead-row';
import { type ImportLeadsDeps, importLeads } from '@sluice/leads/import-leads';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { LARGE_BODY_BYTES } from '../http/read-body.ts';
import { done } from '../http/result.ts';
import { memberOf } from './write.ts';

export interface LeadImportDeps extends ImportLeadsDeps {
  readonly audit: Audit;
}

/** Imports rows of a file: checks them, or creates and changes leads with the functions of the public API. */
export function leadImportRoutes({ guarded }: Binder, deps: LeadImportDeps): void {
  const { leadDeps, audit } = deps;

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
    const { result, deed } = await importLeads(deps, { ...body, ...by });
    if (deed !== undefined) await audit(who, request, deed);
    return done(result);
  });
}
