import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FileRead } from '@sluice/import/read/import-table';
import { readCalendarText } from '@sluice/import/read/read-file';
import { useWrite } from '../../api/queries.ts';

interface FeedUse {
  /** Numbers the feed when it is asked for. */
  readonly chooseFeed: () => number;
  /** Shows it, unless a file or feed that was chosen later is shown by then. */
  readonly take: (read: FileRead, number: number) => void;
}

/** Lets the API fetch a feed, and reads it as a file named after its host. */
export function useFeed({ chooseFeed, take }: FeedUse) {
  const { mutateAsync, isPending, error, reset } = useWrite(ROUTES.events.readFeed);
  return {
    pending: isPending,
    error,
    async read(url: string) {
      const number = chooseFeed();
      const answer = await mutateAsync({ body: { url } }).catch(() => undefined);
      if (answer !== undefined) take(await readCalendarText({ name: answer.host, ...answer }), number);
    },
    /** Another file was chosen, so the page no longer waits for the feed. */
    forget: reset,
  };
}
