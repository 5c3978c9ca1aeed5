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

/** What was chosen in a chart, by source, each with the way to exactly these deliveries. */
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
              <ul className={classes.refusals}>
                {items.map(({ source_id: id, name, count: own }) => (
                  <li key={id}>
                    <div className={classes.refusalLine}>
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

/** What somebody typed into the address is judged by the API. */
function queryOf({ status, ...rest }: Selection) {
  return { ...rest, ...(status !== undefined && { status: Number(status) }) } as never;
}

function kindWords({ status, status_class: statusClass, code }: Selection): string {
  const kind = code?.replaceAll('_', ' ') ?? status ?? statusClass;
  return kind === undefined ? '' : `, ${kind}`;
}

/** Whoever chose something, by whatever way, goes on here. */
function useFocusOn(what: string) {
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is to be seen too.
  useEffect(() => {
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [what]);
  return element;
}
