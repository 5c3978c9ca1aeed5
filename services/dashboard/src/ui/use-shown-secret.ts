import { useEffect, useState } from 'react';

const SHOWN_MS = 30_000;

/** Keeps a secret while it is shown, for 30 s at most. No cache keeps it. */
export function useShownSecret(readSecret: () => Promise<string>) {
  const [secret, setSecret] = useState<string | null>(null);
  useEffect(() => {
    if (secret === null) return;
    const timer = setTimeout(() => setSecret(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [secret]);
  return {
    secret,
    /** Reads the secret without showing it. */
    read: async () => secret ?? (await readSecret()),
    reveal: () => void readSecret().then(setSecret, () => {}),
    hide: () => setSecret(null),
  };
}
