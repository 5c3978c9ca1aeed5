import type { ReactNode } from 'react';
import classes from './tip.module.css';

/** Line icons on a 24-unit grid, one path each, so that no icon library has to be loaded. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  events: 'M5 6h14v14H5zM5 10h14M9 3.500v4M15 3.500v4',
  webhook: 'M4 12h5M15 12h5M9 7v10M15 7v10M9 9.500c2 1.200 4-1.200 6 0M9 14.500c2 1.200 4-1.200 6 0',
  key: 'M14.500 13.500a4.500 4.500 0 1 0-4.200-3l-6.300 6.300V20h3.200v-2.200h2.200v-2.200h1.700l.6-.6M15.800 8.200h.01',
  members:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M2.500 20c.5-3.500 3-5.500 6.500-5.500s6 2 6.500 5.500M15.500 4.300a3.500 3.500 0 0 1 0 6.400M18 14.900c2 .8 3.200 2.600 3.500 5.100',
  audit: 'M6 3.500h9l4 4V20.500H6zM15 3.500v4h4M9 12h7M9 16h7',
  ops: 'M4 5h16v5H4zM4 14h16v5H4zM7.500 7.500h.01M7.500 16.500h.01',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M4.500 12.500l5 5 10-11',
  cross: 'M6 6l12 12M18 6L6 18',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  eyeOff:
    'M4 4l16 16M9.900 5.800A9 9 0 0 1 12 5.500c6 0 9.500 6.500 9.500 6.500a16 16 0 0 1-2.800 3.500M6.300 7.300A16 16 0 0 0 2.500 12S6 18.500 12 18.500a9 9 0 0 0 4.300-1.100',
  trash:
    'M4.500 6.500h15M9.500 6.500V4h5v2.500M6.500 6.500l.8 13.500h9.400l.8-13.500M10 10.500v6M14 10.500v6',
  rotate: 'M20 12a8 8 0 1 1-2.500-5.800M20 3.500v4h-4',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 17.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M16 16l4.500 4.500',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500',
  system: 'M3.500 5h17v11h-17zM9 20h6M12 16v4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  chevron: 'M9 5.500l6.500 6.500L9 18.500',
  warning: 'M12 4L2.800 20h18.400zM12 10v4.500M12 17.300h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5.500M12 7.700h.01',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.500l12 7.500-12 7.500z',
  download: 'M12 4v11M7 10.500l5 5 5-5M4.500 20h15',
  upload: 'M12 15.500v-11M7 9.500l5-5 5 5M4.500 20h15',
  lead: 'M12 11.500a3.800 3.800 0 1 0 0-7.500 3.800 3.800 0 0 0 0 7.500M4.500 20.500c.6-4 3.500-6 7.500-6s6.900 2 7.500 6',
  pipeline: 'M4 5h4v14H4zM10 5h4v10h-4zM16 5h4v6h-4z',
  up: 'M12 19.500v-15M6 10.500l6-6 6 6',
  down: 'M12 4.500v15M6 13.500l6 6 6-6',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  link: 'M10 14a4 4 0 0 0 5.700 0l3.300-3.300a4 4 0 0 0-5.700-5.700L12 6.300M14 10a4 4 0 0 0-5.700 0L5 13.300A4 4 0 0 0 10.700 19l1.300-1.300',
  signOut: 'M14 4H5v16h9M10 12h11M17.500 8l4 4-4 4',
  send: 'M21 3.500L10.500 14M21 3.500l-6.500 17-4-6.500-6.500-4z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5.300l3.500 2',
  dash: 'M6 12h12',
  conversations: 'M4 5h12v9H9l-3.500 3v-3H4zM16 9h4v8h-1.500v3L15 17h-4v-3',
  channel: 'M5 4.500h14v11h-6l-4 4v-4H5zM9 8.500h6M9 11.500h4',
  hand: 'M7.500 12V6.500a1.500 1.500 0 0 1 3 0V11M10.500 10.500V4.500a1.500 1.500 0 0 1 3 0V11M13.500 10.500V6a1.500 1.500 0 0 1 3 0v8c0 4-2 6-5 6-2.500 0-4-1-5.500-4l-1.700-3.300a1.400 1.400 0 0 1 2.400-1.300l.8 1.100',
  headset: 'M4.500 14v-2a7.500 7.500 0 0 1 15 0v2M4.500 13h3v5h-3zM16.500 13h3v5h-3zM19.500 18c0 2-2 3-5 3',
  pencil: 'M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19zM14 6.500l3.500 3.500',
  back: 'M15 5.500L8.500 12l6.500 6.500',
  below: 'M5.500 9l6.500 6.500L18.500 9',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo({ size = 26 }: { readonly size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}

interface TipProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Whether the button is near the right edge of the window. */
  readonly atEdge?: boolean;
}

/** Shows the label of an icon button on hover and on focus. The button has the same text as its name. */
export function Tip({ label, children, atEdge = false }: TipProps) {
  return (
    <span className={classes.tip} data-tip={label} data-edge={atEdge || undefined}>
      {children}
    </span>
  );
}
