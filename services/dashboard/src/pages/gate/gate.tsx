import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../shell/logo.tsx';
import classes from './gate.module.css';

interface GateProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the pages outside of any account: sign-in, first owner, invitation. */
export function Gate({ title, lead, children }: GateProps) {
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
  return (
    <main className={classes.gate}>
      <div className={classes.card}>
        <div className={classes.head}>
          <Logo size={36} />
          <h1>{title}</h1>
          {lead !== undefined && <p className="dimmed">{lead}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}
