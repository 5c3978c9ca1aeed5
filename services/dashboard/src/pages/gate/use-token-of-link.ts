import { useLocation } from 'react-router';

/** Returns the token of a one-time link. It is in the fragment, which never leaves the browser. */
export function useTokenOfLink(): string {
  const { hash } = useLocation();
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
}
