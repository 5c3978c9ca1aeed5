import type { KeyItem, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { Fragment } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import classes from './key-table.module.css';

/** When, from where and for what a key was used last. */
export function LastUse({ item }: { readonly item: KeyItem }) {
  const { last_used_at: at, last_used_from: from } = item;
  return (
    <span className={classes.lines}>
      <Ago at={at} />
      {from !== null && (
        <>
          <span className="small dimmed">{from.address}</span>
          <span className={`small dimmed ${classes.words}`}>
            <Route route={from.route} />
          </span>
        </>
      )}
    </span>
  );
}

/** A path that breaks where its parts end, and not in a word. */
function Route({ route }: { readonly route: string }) {
  return route.split(/(?<=\w\/)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** How much a key was used, an hour a bar. */
export function KeySparkline({ item }: { readonly item: KeyWithActivity }) {
  const words = usesIn24h(item);
  return (
    <span className={classes.lines}>
      <Sparkline
        bars={item.activity.map(({ uses }) => ({ good: uses, bad: 0 }))}
        label={`In the last 24 hours: ${words}`}
      />
      <span className={`small dimmed ${classes.words}`}>{words}</span>
    </span>
  );
}

/** What revoking a key will meet. */
export function KeyInUse({ item }: { readonly item: KeyWithActivity }) {
  const { last_used_at: at, last_used_from: from } = item;
  if (at === null) return <p>The key was never used.</p>;
  return (
    <p>
      Used <Ago at={at} />
      {from !== null && (
        <>
          {' '}
          from <code>{from.address}</code> for <code>{from.route}</code>
        </>
      )}
      , {usesIn24h(item)} in the last 24 hours. The next call gets 401.
    </p>
  );
}

function usesIn24h({ uses_24h: uses, clients_24h: clients }: KeyWithActivity): string {
  return clients === 0 ? counted(uses, 'use') : `${counted(uses, 'use')} by ${counted(clients, 'client')}`;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count.toLocaleString('en')} ${what}s`;
}
