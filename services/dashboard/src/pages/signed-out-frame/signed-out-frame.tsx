import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { Logo } from '../../ui/icons.tsx';
import classes from './signed-out-frame.module.css';

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
        <div className="stack-small">
          <Logo size={36} />
          <h1>{title}</h1>
          {lead !== undefined && <p className="dimmed">{lead}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}

/** Returns the token of a one-time link. It is in the fragment, which never leaves the browser. */
export function useTokenOfLink(): string {
  const { hash } = useLocation();
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
}
