import { pack, unpack } from '../bson/packed.ts';

/** A stored document. An update replaces its bytes. */
export class StoredDocument {
  /** Position in the natural order of the collection, which an update keeps. */
  readonly record: number;
  #packed: string;

  constructor(record: number, bytes: Buffer) {
    this.record = record;
    this.#packed = pack(bytes);
  }

  /** The current bytes. A later update does not change them. */
  get packed(): string {
    return this.#packed;
  }

  /** A new copy at each call. */
  get bytes(): Buffer {
    return unpack(this.#packed);
  }

  /** Bytes. */
  get size(): number {
    return this.#packed.length;
  }

  rewrite(bytes: Buffer): void {
    this.#packed = pack(bytes);
  }
}
