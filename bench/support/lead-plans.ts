import type { Db, Document } from 'mongodb';
import { ACCOUNT } from './sources.ts';

const PLANS: Readonly<Record<string, readonly [filter: Document, sort: Record<string, 1 | -1>]>> = {
  newest: [{}, { created_at: -1, _id: -1 }],
  oldest: [{}, { created_at: 1, _id: 1 }],
  changed: [{ updated_at: { $gte: new Date(Date.UTC(2026, 0, 1)) } }, { updated_at: 1, _id: 1 }],
  stage: [{ words: 's:stg_won' }, { created_at: -1, _id: -1 }],
  'stage by change': [{ facets: 's:stg_won' }, { updated_at: -1, _id: -1 }],
  word: [{ words: 'bab' }, { created_at: -1, _id: -1 }],
  words: [{ $and: [{ words: 'baberd' }, { words: 'mic' }] }, { created_at: -1, _id: -1 }],
};

/** The index that each kind of query uses, with the entries read. Empty for an engine without `explain`. */
export async function leadPlans(db: Db): Promise<Record<string, string>> {
  const plans: Record<string, string> = {};
  for (const [name, [filter, sort]] of Object.entries(PLANS)) {
    const cursor = db
      .collection('leads')
      .find({ $and: [{ account_id: ACCOUNT }, filter] })
      .sort(sort)
      .limit(51);
    const explained = await cursor.explain('executionStats').catch(() => undefined);
    if (explained !== undefined)
      plans[name] =
        `${indexOf(explained.queryPlanner?.winningPlan)} (${explained.executionStats?.totalKeysExamined})`;
  }
  return plans;
}

/** The name of the index in a plan; `none` if it reads every document, and `sorted` if it sorts in memory. */
function indexOf(plan: Document | undefined): string {
  if (plan === undefined) return 'none';
  const below = plan.indexName ?? indexOf(plan.inputStage ?? plan.inputStages?.[0]);
  return plan.stage === 'SORT' ? `sorted, ${below}` : below;
}
