import { pipelineStage } from '@sluice/contract/pipeline';
import * as z from 'zod';
import { type PublicCall, publicRoute } from './declare-route.ts';
import type { LeadRouteDeps } from './leads/deps.ts';
import { hasPartOfName, partOfName } from './part-of-name.ts';

const query = z.strictObject({ q: partOfName });

export const pipelineStages = publicRoute({
  method: 'GET',
  path: '/api/public/pipeline-stages',
  operationId: 'listPipelineStages',
  tag: 'Leads',
  summary: 'List the pipeline stages',
  description:
    'Returns the stages in the order of the pipeline, for menus. A stage that is being retired is left out.',
  scopes: ['read:leads', 'write:leads'],
  query,
  success: { 200: 'The stages.' },
  response: z.array(pipelineStage),
  problems: [],
  async handler(
    { accountId, query: { q } }: PublicCall<z.output<typeof query>>,
    { leadDeps }: LeadRouteDeps,
  ) {
    const { stages } = await leadDeps.settings.readFresh(accountId);
    const isWanted = hasPartOfName(q);
    const body = stages
      .map(({ id, name, kind, retiring }, position) => ({ stage: { id, name, position, kind }, retiring }))
      .filter(({ stage, retiring }) => retiring === undefined && isWanted(stage))
      .map(({ stage }) => stage);
    return { outcome: 'done', body };
  },
});
