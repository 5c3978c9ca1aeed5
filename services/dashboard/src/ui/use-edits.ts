import { useState } from 'react';
import { typedSince } from './typed-since.ts';

/** Edits of what is stored. Fields that are not touched follow the stored ones, which another user may change meanwhile. */
export function useEdits<T extends object>(stored: T) {
  const [touched, setTouched] = useState<Partial<T>>({});
  return {
    edited: { ...stored, ...touched } as T,
    edit: (fields: Partial<T>) => setTouched((before) => ({ ...before, ...fields })),
    /** Forgets what was sent. */
    onSaved: () => setTouched((now) => typedSince(touched, now) as Partial<T>),
  };
}
