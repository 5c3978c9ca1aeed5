type Dated<Value> = Value extends number ? Date : Value;
type Timed<Value> = Value extends Date ? number : Value;

/** A value whose times are dates, which MongoDB orders and expires. */
export type WithDates<Value, Time extends keyof Value> = Omit<Value, Time> & {
  readonly [Name in keyof Pick<Value, Time>]: Dated<Value[Name]>;
};

type WithTimes<Stored, Time extends keyof Stored> = Omit<Stored, Time> & {
  readonly [Name in keyof Pick<Stored, Time>]: Timed<Stored[Name]>;
};

/** The document of a record. */
type StoredRecord<Value, Id extends keyof Value, Time extends keyof Value> = WithDates<
  Omit<Value, Id>,
  Exclude<Time, Id>
> & { readonly _id: string; readonly schema_version: 1 };

/** The documents that a codec makes. */
export type DocumentOf<Codec extends { toDocument(record: never): unknown }> = ReturnType<
  Codec['toDocument']
>;

/** Replaces times (milliseconds since the Unix epoch) by dates. Null stays, and so does what is absent. */
export function withDates<Value extends object, Time extends keyof Value>(
  value: Value,
  times: readonly Time[],
): WithDates<Value, Time> {
  const dated = { ...value } as Record<PropertyKey, unknown>;
  for (const name of times) if (typeof dated[name] === 'number') dated[name] = new Date(dated[name]);
  return dated as unknown as WithDates<Value, Time>;
}

/** The inverse of `withDates`. */
export function withTimes<Stored extends object, Time extends keyof Stored>(
  stored: Stored,
  times: readonly Time[],
): WithTimes<Stored, Time> {
  const timed = { ...stored } as Record<PropertyKey, unknown>;
  for (const name of times) {
    const date = timed[name];
    if (date instanceof Date) timed[name] = date.getTime();
  }
  return timed as unknown as WithTimes<Stored, Time>;
}

/**
 * The form of records in their collection: `id` is `_id`, and `times` are dates. All other fields are stored unchanged. Call it
 * twice: TypeScript infers either all types of a call or none.
 */
export function storedRecord<Value extends object>() {
  return <Id extends keyof Value & string, Time extends keyof Value & string>(
    id: Id,
    times: readonly Time[],
  ) => {
    type Document = StoredRecord<Value, Id, Time>;
    const fromDocument = (document: Document): Value => {
      const { _id, schema_version: _, ...rest } = document as Record<string, unknown>;
      return withTimes<Record<string, unknown>, string>({ [id]: _id, ...rest }, times) as Value;
    };
    return {
      toDocument(record: Value): Document {
        const { [id]: _id, ...rest } = record as Record<string, unknown>;
        return {
          _id,
          schema_version: 1,
          ...withDates<Record<string, unknown>, string>(rest, times),
        } as unknown as Document;
      },
      fromDocument,
      /** The record of a document that was looked up. */
      found: (document: Document | null) => (document === null ? undefined : fromDocument(document)),
    };
  };
}
