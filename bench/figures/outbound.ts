import { checkOut } from '../support/checkout.ts';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import { measureGrowth } from '../support/outbound-growth.ts';
import { measureIsolation } from '../support/outbound-isolation.ts';
import { measureLag } from '../support/outbound-lag.ts';
import { measureRates } from '../support/outbound-rates.ts';
import { onStage } from '../support/stage.ts';

const PARTS = ['rates', 'lag', 'isolation', 'growth'] as const;

/**
 * How messages reach their receivers: rates and costs against the naive pipeline, lag, isolation and growth. With a base, each part is measured
 * with that commit too, by its own bench.
 */
export async function outboundFigure({ base, ...context }: FigureContext): Promise<FigureResult> {
  if (base === undefined) return measureParts(context);
  return onStage(async (keep) => {
    console.error(`  installing ${base} …`);
    const before = await keep(checkOut(base));
    const { outboundFigure: figure } = (await import(
      `${before.root}bench/figures/outbound.ts`
    )) as OutboundBench;
    const wanted = context.part === undefined ? PARTS : [context.part];
    const results: FigureResult[] = [];
    for (const part of wanted) {
      results.push(await measureParts({ ...context, part }));
      const { tables, data } = await figure({ ...context, part });
      results.push({
        data,
        tables: tables.map(({ title, text }) => ({ title: `${before.commit}: ${title}`, text })),
      });
    }
    return { tables: results.flatMap(({ tables }) => tables), data: results.map(({ data }) => data) };
  });
}

/** A checkout is measured by its own bench, which knows its variables and what it stores. */
type OutboundBench = typeof import('./outbound.ts');

async function measureParts(context: FigureContext): Promise<FigureResult> {
  const { part } = context;
  if (part !== undefined && !PARTS.some((name) => name === part))
    throw new Error(`--part is one of ${PARTS.join(', ')}`);
  const wants = (name: (typeof PARTS)[number]) => part === undefined || part === name;
  // The lag is measured at half of the most messages a second.
  const rates = wants('rates') || wants('lag') ? await measureRates(context) : undefined;
  const results = [
    ...(rates === undefined ? [] : [rates]),
    ...(rates !== undefined && wants('lag') ? [await measureLag(context, rates.most)] : []),
    ...(wants('isolation') ? [await measureIsolation(context)] : []),
    ...(wants('growth') ? [await measureGrowth(context)] : []),
  ];
  return { tables: results.flatMap(({ tables }) => tables), data: results.map(({ data }) => data) };
}
