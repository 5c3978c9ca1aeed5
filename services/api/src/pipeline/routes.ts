import { newStage, stageChange } from '@sluice/contract/pipeline';
import { newId } from '@sluice/credentials/ids';
import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';
import { type Pipeline, phoneRegion, stageOrder, stageRetirement } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { countInStage } from '@sluice/leads/list-leads';
import type { LeadSettings, Stage } from '@sluice/store/lead-settings';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Refusal, refuse } from '../http/result.ts';
import { memberOf } from '../leads/write.ts';
import { type Edited, inOrder, withChange, withRetiring, withStage } from './edit-stages.ts';
import { type RetireDeps, retirePortion } from './retire-stage.ts';

export interface PipelineRoutesDeps extends RetireDeps {
  readonly audit: Audit;
}

/** The stages of the account's leads, and the country of its phone numbers. */
export function pipelineRoutes({ guarded }: Binder, deps: PipelineRoutesDeps): void {
  const { leadDeps, audit, now } = deps;
  const routes = ROUTES.pipeline;
  const describe = (settings: LeadSettings) => describePipeline(deps, settings);

  guarded(routes.show, {}, async ({ who }) =>
    done(await describe(await leadDeps.settings.readFresh(who.accountId))),
  );

  guarded(routes.addStage, { body: newStage }, async ({ who, body, request }) => {
    const id = newId('stg');
    const result = await edit(deps, who.accountId, (stages) => withStage(stages, id, body));
    if ('outcome' in result) return result;
    await audit(who, request, { action: 'pipeline.stage_added', target: { id, name: body.name } });
    return done(await describe(result));
  });

  guarded(routes.changeStage, { body: stageChange }, async ({ who, params, body, request }) => {
    const id = params.stageId as string;
    const result = await edit(deps, who.accountId, (stages) => withChange(stages, id, body));
    if ('outcome' in result) return result;
    const name = result.stages.find((stage) => stage.id === id)?.name ?? id;
    await audit(who, request, { action: 'pipeline.stage_changed', target: { id, name } });
    return done(await describe(result));
  });

  guarded(routes.orderStages, { body: stageOrder }, async ({ who, body, request }) => {
    const result = await edit(deps, who.accountId, (stages) => inOrder(stages, body.stages));
    if ('outcome' in result) return result;
    const target = { id: who.accountId, name: 'the pipeline' };
    const detail = result.stages.map(({ name }) => name).join(', ');
    await audit(who, request, { action: 'pipeline.stages_ordered', target, detail });
    return done(await describe(result));
  });

  guarded(
    routes.retireStage,
    { body: stageRetirement },
    async ({ who, params, body: { move_to }, request }) => {
      const id = params.stageId as string;
      const before = await leadDeps.settings.readFresh(who.accountId);
      const stage = before.stages.find((one) => one.id === id);
      if (stage === undefined) return notFound('stage');
      const retiring = { into: move_to, since: now(), actor: memberOf(who) };
      const result = await edit(deps, who.accountId, (stages) => withRetiring(stages, id, retiring));
      if ('outcome' in result) return result;
      if (stage.retiring === undefined) {
        const into = result.stages.find((one) => one.id === move_to)?.name ?? move_to;
        const target = { id, name: stage.name };
        await audit(who, request, { action: 'pipeline.stage_retired', target, detail: `leads to ${into}` });
      }
      return done(await retirePortion(deps, who.accountId, id));
    },
  );

  guarded(routes.setPhoneRegion, { body: phoneRegion }, async ({ who, body: { phone_region }, request }) => {
    const result = await edit(deps, who.accountId, (stages) => ({ outcome: 'edited', stages }), {
      phone_region,
    });
    if ('outcome' in result) return result;
    const target = { id: who.accountId, name: 'the account' };
    const detail = phone_region ?? 'none';
    await audit(who, request, { action: 'pipeline.phone_region_changed', target, detail });
    return done(await describe(result));
  });
}

const NO_STAGE = notFound('stage');
const TRIES = 5;

/** Stores edited stages. Another change may come first: then the edit is made again. */
async function edit(
  { leadDeps }: RetireDeps,
  accountId: string,
  change: (stages: readonly Stage[]) => Edited,
  rest: Partial<Pick<LeadSettings, 'phone_region'>> = {},
): Promise<LeadSettings | Refusal> {
  for (let tries = 0; tries < TRIES; tries++) {
    const settings = await leadDeps.settings.readFresh(accountId);
    const result = change(settings.stages);
    if (result.outcome === 'not_found') return NO_STAGE;
    if (result.outcome === 'conflict') return refuse('conflict', result.detail);
    const next = { ...settings, ...rest, stages: result.stages };
    if (await leadDeps.leadSettings.putSettings(next)) return leadDeps.settings.readFresh(accountId);
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
