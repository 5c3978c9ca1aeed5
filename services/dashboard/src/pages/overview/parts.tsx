import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { deliveriesPath } from '../../shell/page-links.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded, RowsSkeleton } from '../../ui/states.tsx';
import { timeSpan } from '../../ui/time.ts';
import { CardButton } from './card-button.tsx';
import classes from './overview.module.css';
import type { Selection } from './selection.ts';

interface PartsProps {
  readonly selection: Selection;
  readonly onClear: () => void;
}

/** Lists the chosen requests by source, each with a link to these deliveries. */
export function Parts({ selection, onClear }: PartsProps) {
  const parts = useRead(ROUTES.overview.parts, { query: queryOf(selection) }, { keep: true });
  const title = `${timeSpan(selection.from, selection.to)}${kindWords(selection)}`;
  return (
    <div ref={useFocusOn(title)} tabIndex={-1} className={classes.parts}>
      <Card title={title} aside={<CardButton onClick={onClear}>Clear</CardButton>}>
        <Loaded query={parts} skeleton={<RowsSkeleton rows={2} />}>
          {({ items, count }) =>
            items.length === 0 ? (
              <p className="dimmed">No such requests in this time.</p>
            ) : (
              <ul className="stack-small">
                {items.map(({ source_id: id, name, count: own }) => (
                  <li key={id}>
                    <div className="row-between">
                      <Link to={deliveriesPath(id, { ...selection })} className="ellipsis">
                        {name}
                      </Link>
                      <span className="number">{own.toLocaleString('en')}</span>
                    </div>
                    <div className={classes.track}>
                      <div
                        className={classes.fill}
                        data-tone="accent"
                        style={{ width: `${(own / count) * 100}%` }}
                      />
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}

/** The API validates what a user typed into the address. */
function queryOf({ status, ...rest }: Selection) {
  return { ...rest, ...(status !== undefined && { status: Number(status) }) } as never;
}

function kindWords({ status, status_class: statusClass, code }: Selection): string {
  const kind = code?.replaceAll('_', ' ') ?? status ?? statusClass;
  return kind === undefined ? '' : `, ${kind}`;
}

/** Moves the focus here after a choice. */
function useFocusOn(what: string) {
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new choice must move the focus again.
  useEffect(() => {
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [what]);
  return element;
}
