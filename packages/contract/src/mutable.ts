/**
 * A type whose fields can still be set: for objects that are put together field by field where thousands are made, as
 * conditional spreads cost several times as much (bench/speed-tried.md).
 */
export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };
