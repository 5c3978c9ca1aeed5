import { leadInput } from '@sluice/contract/lead/lead';
import type { Actor } from '@sluice/contract/message/change';
import { newId } from '@sluice/credentials/ids';
import { leadChange, noteableMove } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { changeLead, moveLead } from '@sluice/leads/change/change-lead';
import { createLead } from '@sluice/leads/change/create-lead';
import { eraseLead } from '@sluice/leads/change/erase-lead';
import type { Binder } from '../http/bind.ts';
import { done, notFound } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { authorOf } from '../parts/audit.ts';
import type { RouteDeps } from '../parts.ts';
import { answerWritten } from './written.ts';

/** Largest body of a lead, as in the public API. Bytes. */
const LEAD_BYTES = 256 * 1024;

/**
 * Creates, changes, moves and erases single leads. Publishing writes the audit entries of these changes, so that a killed process leaves no
 * gap. The audit log names a lead by its id, and fields without their values, so that an erasure leaves nothing there.
 */
export function leadWriteRoutes({ guarded }: Binder, { leadDeps, eraseDeps }: RouteDeps): void {
  const routes = ROUTES.leads;

  guarded(routes.create, { body: leadInput, maxBodyBytes: LEAD_BYTES }, async ({ who, body, request }) => {
    const created = await createLead(leadDeps, {
      ...{ accountId: who.accountId, input: body, actor: memberOf(who), origin: 'dashboard' as const },
      ids: { lead: newId('lead') },
      doer: authorOf(who, request),
    });
    return answerWritten(created);
  });

  const change = { body: leadChange, maxBodyBytes: LEAD_BYTES };
  guarded(routes.change, change, async ({ who, params, body: { revision, patch }, request }) => {
    const written = await changeLead(leadDeps, {
      ...{ accountId: who.accountId, leadId: params.leadId as string, actor: memberOf(who), patch },
      ifMatch: revision === undefined ? undefined : [revision],
      doer: authorOf(who, request),
    });
    return answerWritten(written, '/patch');
  });

  const move = { body: noteableMove, maxBodyBytes: LEAD_BYTES };
  guarded(routes.move, move, async ({ who, params, body: { stage, note, move_id }, request }) => {
    const written = await moveLead(leadDeps, {
      ...{ accountId: who.accountId, leadId: params.leadId as string, actor: memberOf(who), stage },
      // It may be the first try: then no change has this id, and the move takes place.
      ...(move_id !== undefined && { requestId: `${who.user.user_id}/${move_id}`, isRepeat: true }),
      note: note || undefined,
      doer: authorOf(who, request),
    });
    return answerWritten(written);
  });

  guarded(routes.erase, {}, async ({ who, params, request }) => {
    const leadId = params.leadId as string;
    const erased = await eraseLead(eraseDeps, {
      ...{ accountId: who.accountId, leadId, actor: memberOf(who) },
      doer: authorOf(who, request),
    });
    return erased.status === 'erased' ? done(null) : notFound('lead');
  });
}

/** A member as the author of a change. */
export function memberOf({ user }: Pick<SignedIn, 'user'>): Actor {
  return { type: 'member', id: user.user_id };
}
