import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect, useState } from 'react';
import { useWrite } from '../../api/queries.ts';

const SHOWN_MS = 30_000;

/** Reads the secret of a source and keeps it while it is shown. No cache keeps it. */
export function useSecret(sourceId: string) {
  const [secret, setSecret] = useState<string | null>(null);
  const { mutateAsync, reset, error, isPending } = useWrite(ROUTES.sources.revealSecret);
  useEffect(() => {
    if (secret === null) return;
    const timer = setTimeout(() => setSecret(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [secret]);
  const read = async () => {
    const { signing_secret: text } = await mutateAsync({ params: { sourceId } });
    reset();
    return text;
  };
  return {
    secret,
    error,
    isPending,
    /** Reads the secret without showing it. */
    read: async () => secret ?? (await read()),
    reveal: () => void read().then(setSecret, () => {}),
    hide: () => setSecret(null),
  };
}
