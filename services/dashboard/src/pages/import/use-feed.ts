import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FileRead } from '@sluice/importing/import-table';
import { readCalendarText } from '@sluice/importing/read-file';
import { useWrite } from '../../api/queries.ts';

/** Lets the API fetch a feed, and reads it as a file named after its host. */
export function useFeed(onRead: (read: FileRead) => void) {
  const { mutateAsync, isPending, error, reset } = useWrite(ROUTES.events.readFeed);
  return {
    pending: isPending,
    error,
    async read(url: string) {
      const answer = await mutateAsync({ body: { url } }).catch(() => undefined);
      if (answer !== undefined) onRead(await readCalendarText(answer.host, answer.text));
    },
    forget: reset,
  };
}
