import { SegmentedControl } from '@mantine/core';
import type { Range } from '@sluice/dashboard-api/overview';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useSearchParams } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import { Figures } from './figures.tsx';
import { LogDays } from './log-days.tsx';
import classes from './overview.module.css';
import { Plan } from './plan.tsx';
import { Refusals } from './refusals.tsx';
import { useSelection } from './selection.ts';

/** Loaded only when there is something to draw. */
const Charts = onDemand(async () => (await import('./charts.tsx')).Charts);

const RANGES: { value: Range; label: string }[] = [
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
];
const REFRESH_MS = 5000;

export function OverviewPage() {
  const [search, setSearch] = useSearchParams();
  const range = RANGES.find(({ value }) => value === search.get('range'))?.value ?? '1h';
  const chosen = useSelection();
  const overview = useRead(ROUTES.overview.show, { query: { range } }, { everyMs: REFRESH_MS, keep: true });
  return (
    <Page
      title="Overview"
      actions={
        <SegmentedControl
          aria-label="Range"
          data={RANGES}
          value={range}
          onChange={(value) => setSearch({ range: value }, { replace: true })}
        />
      }
    >
      <Loaded query={overview}>
        {(data) => (
          <div className={classes.stack}>
            <Attention needs={data.attention} />
            <Checklist checklist={data.checklist} />
            <Figures overview={data} />
            {data.checklist.delivery && <Charts overview={data} {...chosen} />}
            <div className={classes.pair}>
              <Refusals overview={data} hrefOf={chosen.hrefOf} />
              <div className={classes.stack}>
                <Plan plan={data.plan} />
                {data.checklist.delivery && <LogDays hrefOf={chosen.hrefOf} />}
              </div>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
