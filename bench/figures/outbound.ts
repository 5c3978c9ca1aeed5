import type { FigureContext, FigureResult } from '../support/figure.ts';
import { measureGrowth } from '../support/outbound-growth.ts';
import { measureIsolation } from '../support/outbound-isolation.ts';
import { measureLag } from '../support/outbound-lag.ts';
import { measureRates } from '../support/outbound-rates.ts';

type Part = (context: FigureContext) => Promise<Omit<FigureResult, 'failure'>>;

const PARTS: Readonly<Record<string, Part>> = {
  rates: measureRates,
  // The rate that is halved. With --resume it is kept from before.
  lag: async (context) => measureLag(context, (await measureRates(context)).most),
  isolation: measureIsolation,
  growth: measureGrowth,
};

/** How messages reach their receivers: rates and costs against the naive pipeline, lag, isolation and growth. */
export async function outboundFigure(context: FigureContext): Promise<FigureResult> {
  const { part: only } = context;
  const names = only === undefined ? Object.keys(PARTS) : [only];
  const results: [string, Omit<FigureResult, 'failure'>][] = [];
  for (const name of names) {
    const measure = PARTS[name];
    if (measure === undefined) throw new Error(`--part is one of ${Object.keys(PARTS).join(', ')}`);
    results.push([name, await measure(context)]);
  }
  return {
    tables: results.flatMap(([, { tables }]) => tables),
    data: Object.fromEntries(results.map(([name, { data }]) => [name, data])),
    charts: Object.assign({}, ...results.map(([, { charts }]) => charts)),
  };
}
