import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError, messageOf } from '../api/api-error.ts';
import { Icon, type IconName } from './icons.tsx';
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
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
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
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={classes.error} role="alert">
      <Icon name="warning" />
      <div className={classes.errorText}>
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
    <div className={classes.rows} role="status" aria-label="Loading">
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
  const error = useLastError(query);
  if (query.data !== undefined)
    return (
      <>
        <OutOfDate query={query} />
        {children(query.data)}
      </>
    );
  if (error === null) return skeleton;
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
  const trouble = query.error ?? query.failureReason;
  const isOfNextPage = query.isFetchingNextPage === true || query.isFetchNextPageError === true;
  if (query.data === undefined || isOfNextPage || trouble === null || isSignedOut(trouble)) return null;
  return (
    <div className={classes.outOfDate} role="status">
      <Icon name="warning" size={16} />
      <span>Not up to date: {messageOf(trouble)}</span>
      <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
        Retry
      </Button>
    </div>
  );
}
