import { pack, unpack } from '../bson/packed.ts';

/** A document as it is kept; an update puts other bytes in the place of its own. */
export class StoredDocument {
  /** Position in the natural order of the collection; an update keeps it. */
  readonly record: number;
  #packed: string;

  constructor(record: number, bytes: Buffer) {
    this.record = record;
    this.#packed = pack(bytes);
  }

  /** As they are now. What a later update puts in their place does not show in them. */
  get packed(): string {
    return this.#packed;
  }

  /** A copy, made each time. */
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
