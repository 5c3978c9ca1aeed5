import type { Deed } from '@sluice/accounts/audit/audited';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import { leadUndoRequest } from '@sluice/dashboard-api/lead-imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { changeLead } from '@sluice/leads/change/change-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import { describeLead } from '@sluice/leads/fields/describe-lead';
import { readHistory } from '@sluice/leads/list/read-history';
import type { StoredLeadImport } from '@sluice/store/imports/lead-imports';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import type { RouteDeps } from '../parts.ts';
import { createPortion, type LeadUndoing, PORTION, planLeadUndo } from './plan-lead-undo.ts';
import { memberOf } from './write.ts';

/** Changes of one lead that are read. An import makes one or two. */
const CHANGES = 50;

/** Undoes an import of leads. It takes back only what nobody has changed since. */
export function leadUndoRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { leadImports, audited } = deps;

  guarded(ROUTES.leads.lastImport, {}, async ({ who }) => {
    const last = await leadImports.lastImport(who.accountId);
    if (last === undefined) return done({ import: null });
    const { import_id, file_name, by, at, undone_at, lead_ids } = last;
    return done({
      import: {
        ...{ import_id, file_name, imported_by: by, imported_at: formatInstant(at) },
        ...{ leads: lead_ids.length, undone_at: instantOrNull(undone_at) },
      },
    });
  });

  guarded(
    ROUTES.leads.checkUndo,
    { body: leadUndoRequest },
    async ({ who, body: { import_id, from = 0 } }) => {
      const found = await leadImports.findImport(who.accountId, import_id);
      if (found === undefined) return notFound('import');
      const portion = createPortion(found, from);
      for (const { lead, undoing } of await plansOf(deps, found, from)) portion.count(lead, undoing.outcome);
      return done(portion.result);
    },
  );

  guarded(
    ROUTES.leads.undoImport,
    { body: leadUndoRequest },
    async ({ who, body: { import_id, from = 0 }, request }) => {
      const found = await leadImports.findImport(who.accountId, import_id);
      if (found === undefined) return notFound('import');
      if (found.undone_at !== null) return refuse('conflict', 'This import was already undone.');
      const portion = createPortion(found, from);
      const deed = (processed: number): Deed => ({
        action: 'leads.import_undone',
        target: { id: import_id, name: found.file_name },
        detail: `${processed} of ${found.lead_ids.length} leads processed`,
        ongoing: import_id,
      });
      await audited(who, request, {
        intent: deed(from),
        async work() {
          for (const { lead, undoing } of await plansOf(deps, found, from))
            portion.count(lead, await undoOne(deps, { who, lead, undoing, importId: import_id }));
        },
        deed: () => deed(portion.result.next ?? found.lead_ids.length),
      });
      const { next } = portion.result;
      if (next === null) await leadImports.markUndone(who.accountId, import_id, deps.now());
      return done(portion.result);
    },
  );
}

interface Planned {
  /** Undefined: the lead is gone. */
  readonly lead: Lead | undefined;
  readonly undoing: LeadUndoing;
}

async function plansOf(
  { leadDeps }: RouteDeps,
  { account_id: accountId, import_id, lead_ids }: StoredLeadImport,
  from: number,
): Promise<readonly Planned[]> {
  const ids = lead_ids.slice(from, from + PORTION);
  const found = await leadDeps.leads.findLeads(accountId, ids);
  const byId = new Map(found.map((lead) => [lead.lead_id, lead]));
  const plans: Planned[] = [];
  for (const leadId of ids) {
    const lead = byId.get(leadId);
    const read = await readHistory(leadDeps, { accountId, leadId, limit: CHANGES });
    const undoing: LeadUndoing =
      lead === undefined || read.status === 'not_found'
        ? { outcome: 'untouched' }
        : planLeadUndo(describeLead(lead), read.items, import_id);
    plans.push({ lead, undoing });
  }
  return plans;
}

type Outcome = LeadUndoing['outcome'];

interface OneUndo extends Planned {
  readonly who: SignedIn;
  readonly importId: string;
}

/** Guarded by the revision that the plan was made for: a lead that changes meanwhile is left alone. */
async function undoOne(
  { leadDeps, eraseDeps }: RouteDeps,
  { who, lead, undoing, importId }: OneUndo,
): Promise<Outcome> {
  if (lead === undefined) return 'untouched';
  const which = { accountId: who.accountId, leadId: lead.lead_id };
  const actor = { ...memberOf(who), import_id: importId };
  switch (undoing.outcome) {
    case 'erase': {
      const { status } = await eraseLead(eraseDeps, { ...which, ifMatch: lead.revision, actor });
      return status === 'erased' ? 'erase' : status === 'not_found' ? 'untouched' : 'left';
    }
    case 'restore': {
      const { patch } = undoing;
      const { status } = await changeLead(leadDeps, { ...which, patch, ifMatch: [lead.revision], actor });
      return status === 'changed'
        ? 'restore'
        : status === 'unchanged' || status === 'not_found'
          ? 'untouched'
          : 'left';
    }
    case 'left':
    case 'untouched':
      return undoing.outcome;
  }
}
