import type { FigureContext, FigureResult } from '../support/figure.ts';
import { measureGrowth } from '../support/outbound-growth.ts';
import { measureIsolation } from '../support/outbound-isolation.ts';
import { measureLag } from '../support/outbound-lag.ts';
import { measureRates } from '../support/outbound-rates.ts';

const PARTS = ['rates', 'lag', 'isolation', 'growth'] as const;

/** How messages reach their receivers: rates and costs against the naive pipeline, lag, isolation and growth. */
export async function outboundFigure(context: FigureContext): Promise<FigureResult> {
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
