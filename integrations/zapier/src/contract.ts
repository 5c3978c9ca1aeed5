/** One field of a message. `key` has a dot between the names: `data.email`. */
interface MessageField {
  readonly key: string;
  readonly label: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'datetime' | 'array' | 'object';
}

/** One kind of message that Sluice sends. */
export interface EventKind {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly fields: readonly MessageField[];
  /** A made-up message, in the form of a delivery. */
  readonly sample: Record<string, unknown>;
}

interface Contract {
  readonly event_kinds: readonly EventKind[];
  readonly samples: Readonly<Record<'lead' | 'conversation' | 'message' | 'event', Record<string, unknown>>>;
}

/** Generated from the schemas of the API. The tests compare it with real deliveries. */
export const contract = require('../contract.json') as Contract;

export interface OutputField {
  readonly key: string;
  readonly label: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'datetime';
  readonly list?: boolean;
}

/** The fields of a message as Zapier names them: `data__email`. Fields whose names are data come from the samples. */
export function outputFields({ fields }: EventKind): OutputField[] {
  return fields.filter(({ type }) => type !== 'object').map(describe);
}

/** The fields of the record in a message. */
export function recordFields(kindId: string): OutputField[] {
  const kind = contract.event_kinds.find(({ id }) => id === kindId) as EventKind;
  return outputFields(kind)
    .filter(({ key }) => key.startsWith('data__'))
    .map((field) => ({ ...field, key: field.key.slice('data__'.length) }));
}

function describe({ key, label, type }: MessageField): OutputField {
  const named = { key: key.replaceAll('.', '__'), label };
  if (type === 'array') return { ...named, type: 'string', list: true };
  return { ...named, type: type as OutputField['type'] };
}
