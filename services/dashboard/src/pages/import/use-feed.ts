import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FileRead } from '@sluice/importing/import-table';
import { readCalendarText } from '@sluice/importing/read-file';
import { useRef } from 'react';
import { useWrite } from '../../api/queries.ts';

/** Lets the API fetch a feed, and reads it as a file named after its host. */
export function useFeed(onRead: (read: FileRead) => void) {
  const { mutateAsync, isPending, error, reset } = useWrite(ROUTES.events.readFeed);
  const latest = useRef(0);
  return {
    pending: isPending,
    error,
    async read(url: string) {
      latest.current += 1;
      const mine = latest.current;
      const answer = await mutateAsync({ body: { url } }).catch(() => undefined);
      if (answer === undefined) return;
      const read = await readCalendarText(answer.host, answer.text);
      if (latest.current === mine) onRead(read);
    },
    /** Ignores a feed that is still being read. */
    forget() {
      latest.current += 1;
      reset();
    },
  };
}
