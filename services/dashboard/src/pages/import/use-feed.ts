import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import type { FileRead } from './import-table.ts';
import { readCalendarText } from './read-file.ts';

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
