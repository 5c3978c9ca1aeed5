import type { ReactNode } from 'react';
import type { Tone } from './chip.tsx';
import { Icon, type IconName } from './icons.tsx';
import classes from './note.module.css';

const ICONS: Record<Tone, IconName> = {
  ok: 'check',
  warn: 'warning',
  bad: 'warning',
  info: 'info',
  quiet: 'info',
};

/** A note that must not be overlooked. */
export function Note({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <div className={`${classes.note} ${classes[tone]}`}>
      <Icon name={ICONS[tone]} />
      <div>{children}</div>
    </div>
  );
}
