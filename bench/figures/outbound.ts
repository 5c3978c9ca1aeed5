import type { FigureContext, FigureResult } from '../support/figure.ts';
import { measureGrowth } from '../support/outbound-growth.ts';
import { measureIsolation } from '../support/outbound-isolation.ts';
import { measureLag } from '../support/outbound-lag.ts';
import { measureRates } from '../support/outbound-rates.ts';

/** How messages reach their receivers: rates and costs against the naive pipeline, lag, isolation and growth. */
export async function outboundFigure(context: FigureContext): Promise<FigureResult> {
  const rates = await measureRates(context);
  const lag = await measureLag(context, rates.most);
  const isolation = await measureIsolation(context);
  const growth = await measureGrowth(context);
  return {
    tables: [...rates.tables, ...lag.tables, ...isolation.tables, ...growth.tables],
    data: { rates: rates.data, lag: lag.data, isolation: isolation.data, growth: growth.data },
    charts: { ...isolation.charts, ...growth.charts },
  };
}
