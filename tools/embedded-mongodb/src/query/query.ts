import { fieldsDecoder } from '../bson/decode-fields.ts';
import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { type Filter, fieldsOf } from './filter.ts';
import { parseFilter } from './parse-filter.ts';

/** A filter ready to run over encoded documents. */
export interface Query {
  readonly filter: Filter;
  /** The client's filter. An upsert reads its equalities from it. */
  readonly source: Fields;
  /** Decodes only the fields that the filter reads. */
  readonly decode: (bytes: Buffer) => Fields;
}

/** Parses the filter of a command. `name` is the command's field, for the error. A missing filter is `{}`. */
export function parseQuery(value: unknown, name: string): Query {
  if (value !== undefined && !isDocument(value)) {
    throw new CommandError('TypeMismatch', `BSON field '${name}' is the wrong type, expected type 'object'`);
  }
  const source = value ?? {};
  const filter = parseFilter(source);
  return { filter, source, decode: decoderOf(fieldsOf(filter)) };
}

/** Decoders by the fields that they read. Clients use few different sets, and creating a decoder takes longer than using it. */
const decoders = new Map<string, Query['decode']>();
const MOST_DECODERS = 256;

function decoderOf(names: readonly string[]): Query['decode'] {
  const key = JSON.stringify(names);
  const known = decoders.get(key);
  if (known !== undefined) return known;
  const decode = fieldsDecoder(new Set(names));
  if (decoders.size >= MOST_DECODERS) decoders.clear();
  decoders.set(key, decode);
  return decode;
}
