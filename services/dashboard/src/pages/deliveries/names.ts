/** The names of sources and channels by id. */
export type Names = ReadonlyMap<string, string>;
