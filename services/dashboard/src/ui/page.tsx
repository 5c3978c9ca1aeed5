import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import classes from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** Shown beside the title, such as a state. */
  readonly mark?: ReactNode;
  readonly lead?: ReactNode;
  readonly crumbs?: readonly { readonly label: string; readonly to?: string }[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The first page begins with the focus at its top, where "Skip to content" is. */
let isFirst = true;

export function Page({ title, mark, lead, crumbs, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
  useEffect(() => {
    // A link in the page before is gone, and the focus with it. The heading tells screen readers where the user is.
    if (!isFirst && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <>
      <header className={`row-between ${classes.header}`}>
        <div className={`stack-tiny ${classes.heading}`}>
          {crumbs !== undefined && <Crumbs crumbs={crumbs} />}
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
            {mark}
          </h1>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </>
  );
}

function Crumbs({ crumbs }: { readonly crumbs: NonNullable<PageProps['crumbs']> }) {
  return (
    <nav className={classes.crumbs} aria-label="You are here">
      {crumbs.map(({ label, to }, index) => (
        <span key={label}>
          {index > 0 && <span aria-hidden="true">/ </span>}
          {to === undefined ? label : <Link to={to}>{label}</Link>}
        </span>
      ))}
    </nav>
  );
}

interface CardProps {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A section of a page. `flush` lets a list reach the edges. */
export function Card({ title, aside, flush = false, children }: CardProps) {
  return (
    <section className={`${classes.card} ${flush ? '' : classes.padded}`}>
      {title !== undefined && (
        <div className={`row-between ${classes.cardHead}`}>
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
