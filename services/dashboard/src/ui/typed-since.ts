import { useState } from 'react';

/**
 * Returns the part of a draft that was typed after it was sent: the fields that differ from the sent ones. Forms stay editable while a
 * save runs, and keep this part when it succeeds.
 */
export function typedSince<T extends object>(sent: T, now: T): Partial<T> {
  const fields = Object.entries(now) as [keyof T, T[keyof T]][];
  return Object.fromEntries(fields.filter(([name, value]) => value !== sent[name])) as Partial<T>;
}

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
