import { clientName } from '@sluice/dashboard-api/key-words';
import type { KeyItem, KeyWithActivity } from '@sluice/dashboard-api/keys';
import { Fragment } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { counted } from '../../ui/words.ts';
import classes from './key-table.module.css';

/** Shows when, from where and for which route a key was last used. */
export function LastUse({ item }: { readonly item: KeyItem }) {
  const { last_used_at: at, last_used_from: from } = item;
  return (
    <span className={`stack-tiny ${classes.lines}`}>
      <Ago at={at} />
      {from !== null && (
        <>
          <span className="small dimmed" title={from.client}>
            {from.client !== undefined && `${clientName(from.client)}, `}
            {from.address}
          </span>
          <span className={`small dimmed ${classes.words}`}>
            <Route route={from.route} />
          </span>
        </>
      )}
    </span>
  );
}

/** Allows line breaks in a path after its segments, not inside a word. */
function Route({ route }: { readonly route: string }) {
  return route.split(/(?<=\w\/)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** Shows the uses of a key, one bar per hour. */
export function KeySparkline({ item }: { readonly item: KeyWithActivity }) {
  const words = usesIn24h(item);
  return (
    <span className={`stack-tiny ${classes.lines}`}>
      <Sparkline
        bars={item.activity.map(({ uses }) => ({ good: uses, bad: 0 }))}
        label={`In the last 24 hours: ${words}`}
      />
      <span className={`small dimmed ${classes.words}`}>{words}</span>
    </span>
  );
}

/** Shows the recent use of a key, before it is revoked. */
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
