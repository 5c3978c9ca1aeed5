import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import classes from './live-bar.module.css';
import type { Connection } from './use-live.ts';

const WORDS: Record<Connection | 'paused', string> = {
  connecting: 'Connecting…',
  live: 'Live',
  offline: 'Offline. Reconnecting…',
  paused: 'Paused',
};

interface LiveBarProps {
  readonly live: {
    readonly connection: Connection;
    readonly paused: boolean;
    readonly held: number;
    /** Deliveries may be missing that are neither shown nor held. */
    readonly offersReload: boolean;
    readonly pause: () => void;
    readonly resume: () => void;
    readonly release: () => void;
  };
  readonly onReprocess: (() => void) | null;
  readonly matching: ReactNode;
  /** Downloads of the list; null if it is empty. */
  readonly exports: readonly ExportLink[] | null;
}

interface ExportLink {
  readonly label: string;
  readonly url: string;
}

export function LiveBar({ live, onReprocess, matching, exports }: LiveBarProps) {
  const days = useMe().installation.delivery_retention_days;
  const state = live.paused ? 'paused' : live.connection;
  const showHeld = () => {
    window.scrollTo({ top: 0 });
    live.release();
  };
  return (
    <div className={classes.bar}>
      <span className={classes.state} data-state={state} role="status">
        <span className={classes.dot} aria-hidden="true" />
        {WORDS[state]}
      </span>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name={live.paused ? 'play' : 'pause'} size={14} />}
        onClick={live.paused ? live.resume : live.pause}
      >
        {live.paused ? 'Resume' : 'Pause'}
      </Button>
      {(live.held > 0 || live.offersReload) && (
        <Button size="xs" className={classes.pill} radius="xl" onClick={showHeld}>
          {live.held > 0 ? `Show ${live.held}${live.offersReload ? '+' : ''} new` : 'Reload'}
        </Button>
      )}
      {matching}
      <span className={classes.kept}>Kept for {days} days</span>
      {exports !== null && (
        <span className={classes.exports}>
          <Icon name="download" size={14} />
          Export
          {exports.map(({ label, url }) => (
            <a key={label} href={url} download aria-label={`Export as ${label}`}>
              {label}
            </a>
          ))}
        </span>
      )}
      {onReprocess !== null && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<Icon name="rotate" size={14} />}
          onClick={onReprocess}
        >
          Reprocess all matching…
        </Button>
      )}
    </div>
  );
}
