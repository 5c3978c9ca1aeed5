import type { Deed } from '@sluice/accounts/audit/audited';
import { newStage, stageChange } from '@sluice/contract/lead/pipeline';
import { newId } from '@sluice/credentials/ids';
import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';
import { type Pipeline, phoneRegion, stageOrder, stageRetirement } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { countInStage } from '@sluice/leads/list/list-leads';
import type { LeadSettings, Stage } from '@sluice/store/leads/lead-settings';
import type { Request } from 'express';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Refusal, refuse } from '../http/result.ts';
import { memberOf } from '../leads/write.ts';
import type { Doer } from '../parts/audit.ts';
import type { RouteDeps } from '../parts.ts';
import { type Edited, inOrder, withChange, withRetiring, withStage } from './edit-stages.ts';
import { type RetireDeps, retirePortion } from './retire-stage.ts';

/** The stages of the account's leads, and the country of its phone numbers. */
export function pipelineRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { leadDeps, now } = deps;
  const routes = ROUTES.pipeline;
  const describe = (settings: LeadSettings) => describePipeline(deps, settings);

  guarded(routes.show, {}, async ({ who }) =>
    done(await describe(await leadDeps.settings.readFresh(who.accountId))),
  );

  guarded(routes.addStage, { body: newStage }, async ({ who, body, request }) => {
    const id = newId('stg');
    const result = await edit(
      deps,
      { who, request },
      {
        stages: (before) => withStage(before, id, body),
        deed: () => ({ action: 'pipeline.stage_added', target: { id, name: body.name } }),
      },
    );
    return 'outcome' in result ? result : done(await describe(result));
  });

  guarded(routes.changeStage, { body: stageChange }, async ({ who, params, body, request }) => {
    const id = params.stageId as string;
    const result = await edit(
      deps,
      { who, request },
      {
        stages: (before) => withChange(before, id, body),
        deed: ({ stages }) => ({
          action: 'pipeline.stage_changed',
          target: { id, name: nameOf(stages, id) },
        }),
      },
    );
    return 'outcome' in result ? result : done(await describe(result));
  });

  guarded(routes.orderStages, { body: stageOrder }, async ({ who, body, request }) => {
    const target = { id: who.accountId, name: 'the pipeline' };
    const result = await edit(
      deps,
      { who, request },
      {
        stages: (before) => inOrder(before, body.stages),
        deed({ stages }) {
          const detail = stages.map(({ name }) => name).join(', ');
          return { action: 'pipeline.stages_ordered', target, detail };
        },
      },
    );
    return 'outcome' in result ? result : done(await describe(result));
  });

  guarded(
    routes.retireStage,
    { body: stageRetirement },
    async ({ who, params, body: { move_to }, request }) => {
      const id = params.stageId as string;
      const retiring = { into: move_to, since: now(), actor: memberOf(who) };
      const result = await edit(
        deps,
        { who, request },
        {
          stages: (before) => withRetiring(before, id, retiring),
          deed: ({ stages }) => ({
            action: 'pipeline.stage_retired',
            target: { id, name: nameOf(stages, id) },
            detail: `leads to ${nameOf(stages, move_to)}`,
          }),
        },
      );
      if ('outcome' in result) return result;
      return done(await retirePortion(deps, who.accountId, id));
    },
  );

  guarded(routes.setPhoneRegion, { body: phoneRegion }, async ({ who, body: { phone_region }, request }) => {
    const target = { id: who.accountId, name: 'the account' };
    const result = await edit(
      deps,
      { who, request },
      {
        stages: (stages) => ({ outcome: 'edited', stages }),
        rest: { phone_region },
        deed: () => ({ action: 'pipeline.phone_region_changed', target, detail: phone_region ?? 'none' }),
      },
    );
    return 'outcome' in result ? result : done(await describe(result));
  });
}

function nameOf(stages: readonly Stage[], id: string): string {
  return stages.find((stage) => stage.id === id)?.name ?? id;
}

const NO_STAGE = notFound('stage');
const TRIES = 5;

interface Edit {
  readonly stages: (before: readonly Stage[]) => Edited;
  readonly rest?: Partial<Pick<LeadSettings, 'phone_region'>>;
  /** The audited change, by the settings after it. */
  readonly deed: (after: LeadSettings) => Deed;
}

/** Stores edited stages. Another change may come first: then the edit is made again. */
async function edit(
  { leadDeps, audited }: RouteDeps,
  { who, request }: { readonly who: Doer; readonly request: Request },
  { stages: change, rest, deed }: Edit,
): Promise<LeadSettings | Refusal> {
  for (let tries = 0; tries < TRIES; tries++) {
    const settings = await leadDeps.settings.readFresh(who.accountId);
    const result = change(settings.stages);
    if (result.outcome === 'not_found') return NO_STAGE;
    if (result.outcome === 'conflict') return refuse('conflict', result.detail);
    const next = { ...settings, ...rest, stages: result.stages };
    if (result.stages === settings.stages && rest === undefined) return settings;
    const isStored = await audited(who, request, {
      intent: deed(next),
      work: () => leadDeps.leadSettings.putSettings(next),
      deed: (stored) => (stored ? deed(next) : undefined),
    });
    if (isStored) return leadDeps.settings.readFresh(who.accountId);
  }
  return refuse('conflict', 'Another user is changing the pipeline. Check it, then try again.');
}

async function describePipeline({ leadDeps }: RetireDeps, settings: LeadSettings): Promise<Pipeline> {
  const { account_id, stages, phone_region } = settings;
  const counts = await Promise.all(
    stages.map(({ id: stage }) =>
      countInStage(leadDeps, { accountId: account_id, stage, limit: LEADS_COUNTED }),
    ),
  );
  return {
    stages: stages.map(({ id, name, kind, retiring }, position) => ({
      ...{ id, name, kind, position, retiring_to: retiring?.into ?? null, leads: counts[position] ?? 0 },
    })),
    phone_region,
  };
}
