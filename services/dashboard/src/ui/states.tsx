import { Button, Skeleton } from '@mantine/core';
import { Component, createContext, type ReactNode, useContext, useState } from 'react';
import { ApiError, messageOf } from '../api/api-error.ts';
import type { Tone } from './chip.tsx';
import { Icon, type IconName } from './icons.tsx';
import note from './note.module.css';
import classes from './states.module.css';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  /** The next step for the user. */
  readonly actions?: ReactNode;
}

export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Icon name={icon} size={32} />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className={`row ${classes.actions}`}>{actions}</div>}
    </div>
  );
}

interface AdminsOnlyProps {
  readonly icon: IconName;
  /** Completes “Only owners and admins can …”. */
  readonly what: string;
  readonly children?: ReactNode;
}

/** Replaces what viewers may not see or do. */
export function AdminsOnly({ icon, what, children = 'do it' }: AdminsOnlyProps) {
  return (
    <Empty icon={icon} title={`Only owners and admins can ${what}`}>
      Ask an owner or admin of the account to {children}.
    </Empty>
  );
}

interface ErrorProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** It is being tried again. */
  readonly isTrying?: boolean;
}

/** Shows what went wrong, a request id to quote, and Retry. */
export function ErrorNote({ error, onRetry, isTrying = false }: ErrorProps) {
  // The shell asks to sign in again, and what failed can be tried again then.
  if (error instanceof ApiError && error.code === 'signed_out') return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={`marked tone-bad ${classes.error}`} role="alert">
      <Icon name="warning" />
      <div className="stack-tiny breaks">
        <span>{messageOf(error)}</span>
        {requestId !== null && (
          <span className="small">
            Request id <code>{requestId}</code>
          </span>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" loading={isTrying} onClick={onRetry}>
            Retry
          </Button>
        )}
      </div>
    </div>
  );
}

export function RowsSkeleton({ rows = 5 }: { readonly rows?: number }) {
  return (
    <div className={`stack-small ${classes.rows}`} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <Skeleton key={index} height={20} radius="sm" width={`${95 - (index % 3) * 12}%`} />
      ))}
    </div>
  );
}

interface Query {
  data: unknown;
  error: Error | null;
  /** The error of the last try, while more tries may follow. */
  failureReason: Error | null;
  /** How often the query has failed. */
  errorUpdateCount: number;
  isFetching: boolean;
  refetch: () => unknown;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
}

/** Whether the page says already that the API server is away. What cannot be read says nothing then. Dialogs cover the page, so they do. */
export const AwayIsShown = createContext(false);

interface LoadedProps<T> {
  readonly query: Query & { data: T | undefined };
  readonly skeleton?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/**
 * Shows a query: a skeleton, an error with Retry, or the data. If a reload fails, the old data stays and is marked as
 * out of date.
 */
export function Loaded<T>({ query, skeleton = <RowsSkeleton />, children }: LoadedProps<T>) {
  const isTold = useContext(AwayIsShown);
  const error = useLastError(query);
  if (query.data !== undefined)
    return (
      <>
        <OutOfDate query={query} />
        {children(query.data)}
      </>
    );
  if (error === null || isTold) return skeleton;
  return <ErrorNote error={error} onRetry={() => void query.refetch()} isTrying={query.isFetching} />;
}

/** Returns the error of a query, also while it is tried again. Each poll would otherwise replace error and Retry with a skeleton. */
function useLastError({ error, errorUpdateCount }: Query): Error | null {
  const [last, setLast] = useState(error);
  if (error !== null && error !== last) setLast(error);
  return error ?? (errorUpdateCount > 0 ? last : null);
}

/** Whether the session has ended. The shell then asks to sign in again. */
function isSignedOut(error: Error): boolean {
  return error instanceof ApiError && error.status === 401;
}

/**
 * Marks shown data as out of date if a reload failed: it may be deleted meanwhile, or the user may have lost the right to see it. ShowMore
 * reports a next page that failed.
 */
export function OutOfDate({ query }: { readonly query: Query }) {
  const isTold = useContext(AwayIsShown);
  const trouble = query.error ?? query.failureReason;
  const isOfNextPage = query.isFetchingNextPage === true || query.isFetchNextPageError === true;
  if (query.data === undefined || isOfNextPage || trouble === null) return null;
  if (isTold || isSignedOut(trouble)) return null;
  return (
    <div className={`marked tone-warn ${classes.outOfDate}`} role="status">
      <Icon name="warning" size={16} />
      <span>Not up to date: {messageOf(trouble)}</span>
      <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
        Retry
      </Button>
    </div>
  );
}

interface ListedProps {
  readonly list: Query & { readonly items: readonly unknown[]; readonly isPending: boolean };
  /** Rows of the skeleton. */
  readonly rows?: number;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** Shows a list that is read page after page: a skeleton, an error with Retry, that it is empty, or its rows. */
export function Listed({ list, rows = 6, empty, children }: ListedProps) {
  const { isPending, items } = list;
  const isTold = useContext(AwayIsShown);
  const error = useLastError(list);
  if (error !== null && items.length === 0 && !isTold)
    return <ErrorNote error={error} onRetry={() => void list.refetch()} isTrying={list.isFetching} />;
  if (isPending || (error !== null && items.length === 0)) return <RowsSkeleton rows={rows} />;
  if (items.length === 0) return empty;
  return (
    <>
      <OutOfDate query={list} />
      {children}
    </>
  );
}

interface NextPage {
  readonly error: Error | null;
  readonly isFetchNextPageError: boolean;
}

interface ShowMoreProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<NextPage>;
  };
  readonly label?: string;
  readonly size?: 'xs' | 'sm';
  readonly className?: string | undefined;
}

/** The button below a list that loads its next page. If that fails, it shows the error with Retry. Key it by the filters. */
export function ShowMore({ list, label = 'Show more', size = 'sm', className }: ShowMoreProps) {
  // The query forgets the error at its next refresh, which may be a second away.
  const [failure, setFailure] = useState<Error | null>(null);
  const onMore = async () => {
    const { error, isFetchNextPageError } = await list.fetchNextPage();
    setFailure(isFetchNextPageError ? error : null);
  };
  if (!list.hasNextPage) return null;
  if (failure !== null && !list.isFetchingNextPage)
    return <ErrorNote error={failure} onRetry={() => void onMore()} />;
  return (
    <Button
      variant="default"
      size={size}
      className={className}
      loading={list.isFetchingNextPage}
      onClick={() => void onMore()}
    >
      {label}
    </Button>
  );
}

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
    <div className={`marked ${note.note} tone-${tone}`}>
      <Icon name={ICONS[tone]} />
      <div>{children}</div>
    </div>
  );
}

interface CrashBoundaryProps {
  readonly children: ReactNode;
  /** A new place clears the error. */
  readonly place?: string;
}

/** Catches the error of a page, such as a chunk that is gone after an upgrade. */
export class CrashBoundary extends Component<CrashBoundaryProps, { readonly error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: CrashBoundaryProps) {
    if (before.place !== this.props.place && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Empty
        icon="warning"
        title="This page could not be shown"
        actions={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        {messageOf(this.state.error)}
      </Empty>
    );
  }
}
