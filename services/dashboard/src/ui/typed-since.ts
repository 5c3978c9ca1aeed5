/**
 * Returns the part of a draft that was typed after it was sent: the fields that differ from the sent ones. Forms stay editable while a
 * save runs, and keep this part when it succeeds.
 */
export function typedSince<T extends object>(sent: T, now: T): Partial<T> {
  const fields = Object.entries(now) as [keyof T, T[keyof T]][];
  return Object.fromEntries(fields.filter(([name, value]) => value !== sent[name])) as Partial<T>;
}
