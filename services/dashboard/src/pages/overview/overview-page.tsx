import { SegmentedControl } from '@mantine/core';
import type { Overview, Range } from '@sluice/dashboard-api/overview';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { Icon } from '../../ui/icons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { duration } from '../../ui/time.ts';
import { counted } from '../../ui/words.ts';
import { Attention } from './attention.tsx';
import classes from './overview.module.css';
import { LogDays, Refusals } from './refusals.tsx';
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
          onChange={(value) => setSearch({ range: value })}
        />
      }
    >
      <Loaded query={overview}>
        {(data) => (
          <div className="stack">
            <Attention needs={data.attention} />
            <Checklist checklist={data.checklist} />
            <Figures overview={data} />
            {data.checklist.delivery && <Charts overview={data} {...chosen} />}
            <div className={classes.pair}>
              <Refusals overview={data} hrefOf={chosen.hrefOf} />
              <div className="stack">
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

const STEPS = [
  {
    name: 'source',
    title: 'Add a source',
    text: 'It gets an endpoint URL and a signing secret.',
    to: '/events/webhook',
    link: 'Webhook',
  },
  {
    name: 'delivery',
    title: 'Send a signed request',
    text: 'Use the Test tab, or paste the code.',
    to: '/events/webhook',
    link: 'Choose a source',
  },
  {
    name: 'event',
    title: 'See the first event',
    text: 'The event appears as soon as it is applied.',
    to: '/events',
    link: 'Events',
  },
  {
    name: 'api_key',
    title: 'Create an API key',
    text: 'For an automation platform or your own backend.',
    to: '/settings/api-keys',
    link: 'API Keys',
  },
] as const;

/** Lists the first steps. Each ticks automatically; the list disappears when all are done. */
function Checklist({ checklist }: { readonly checklist: Overview['checklist'] }) {
  const done = STEPS.filter(({ name }) => checklist[name]).length;
  if (done === STEPS.length) return null;
  return (
    <Card
      title="First steps"
      aside={<span className="dimmed small">{`${done} of ${STEPS.length} done`}</span>}
    >
      <ol className={classes.steps}>
        {STEPS.map(({ name, title, text, to, link }, index) => (
          <li key={name} className={`marked ${classes.step}`} data-done={checklist[name]}>
            <span className={classes.mark}>
              {checklist[name] ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <span className="stack-tiny">
              <strong>{title}</strong>
              <span className="dimmed small">{text}</span>
              {checklist[name] ? (
                <span className="visually-hidden">done</span>
              ) : (
                <Link to={to} className="small">
                  {link}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const RANGE_WORDS = {
  '1h': 'in the last hour',
  '24h': 'in the last 24 hours',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
};

/** Shows the totals. The charts below show them over time. */
function Figures({ overview }: { readonly overview: Overview }) {
  const { totals, now } = overview;
  const share = totals.requests === 0 ? null : (totals.accepted / totals.requests) * 100;
  const figures = [
    { name: 'Deliveries', value: totals.requests.toLocaleString('en'), aside: RANGE_WORDS[overview.range] },
    {
      name: 'Accepted',
      // Rounded down, so that 100 % means that nothing was rejected.
      value: share === null ? '–' : `${Math.floor(share * 10) / 10} %`,
      aside: `${totals.refused.toLocaleString('en')} rejected`,
    },
    {
      name: 'Ingress response time',
      value: duration(totals.ingress_ms.p95),
      aside: 'p95, whole installation',
    },
    { name: 'Accepted to applied', value: duration(totals.lag_ms.p95), aside: 'p95' },
    {
      name: 'Queue',
      value: now.queue_depth.toLocaleString('en'),
      aside: `${counted(now.workers, 'worker')}${
        now.oldest_waiting_ms === null ? '' : `, oldest waits ${duration(now.oldest_waiting_ms)}`
      }`,
    },
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, value, aside }) => (
        <div key={name} className={classes.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd className={classes.aside}>{aside}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows how much of the plan is used. At the limit, upserts get 403. */
function Plan({ plan }: { readonly plan: Overview['plan'] }) {
  const used = plan.used.toLocaleString('en');
  return (
    <Card title={`Plan: ${plan.name}`}>
      {plan.limit === null ? (
        <p>
          {used} upserts accepted this month. <span className="dimmed">No limit.</span>
        </p>
      ) : (
        <>
          <div className="row-between">
            <span>
              {used} of {plan.limit.toLocaleString('en')} upserts this month
            </span>
            <span className="number">{Math.floor((plan.used / plan.limit) * 100)} %</span>
          </div>
          <div className={classes.track}>
            <div
              className={classes.fill}
              data-tone="accent"
              style={{ width: `${Math.min(100, (plan.used / plan.limit) * 100)}%` }}
            />
          </div>
          <p className="dimmed small">
            At the limit, upserts get 403 until the month ends (UTC). Cancel and delete still work.
          </p>
        </>
      )}
    </Card>
  );
}
