/**
 * A type with writable fields, for hot code that builds objects field by field. Conditional spreads cost several times as
 * much (bench/speed-tried.md).
 */
export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };
