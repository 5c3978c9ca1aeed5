import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import type { Collection } from '../storage/collection.ts';
import { checkedExpiry, type IndexDefinition, parseIndexDefinition } from '../storage/index-definition.ts';
import { type Command, namespaceOf, type Request } from './command.ts';

/** `collMod`: changes only the expiry of a TTL index, or turns an index into one. */
export const collMod: Command = {
  fields: ['index'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const collection = catalog.collection(namespace);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const wanted = request.body.index;
    if (wanted === undefined) return [];
    if (!isDocument(wanted))
      throw new CommandError(
        'TypeMismatch',
        `BSON field 'collMod.index' is the wrong type, expected type 'object'`,
      );
    const other = Object.keys(wanted).find(
      (name) => !['name', 'keyPattern', 'expireAfterSeconds'].includes(name),
    );
    if (other) throw notSupported(`the option collMod.index.${other}`);
    if (wanted.expireAfterSeconds === undefined)
      throw new CommandError('InvalidOptions', 'no expireAfterSeconds field');
    checkedExpiry(wanted.expireAfterSeconds);
    const { specification } = indexToModify(collection, wanted, request);
    const changed = parseIndexDefinition({ ...specification, expireAfterSeconds: wanted.expireAfterSeconds });
    catalog.redefineIndex(collection, changed);
    const old = specification.expireAfterSeconds;
    return [
      ...(old === undefined ? [] : ([['expireAfterSeconds_old', old]] as const)),
      ['expireAfterSeconds_new', wanted.expireAfterSeconds],
    ];
  },
};

function indexToModify(
  collection: Collection,
  { name, keyPattern }: Fields,
  { database }: Request,
): IndexDefinition {
  const definitions = [...collection.indexes.values()].map(({ definition }) => definition);
  const found = definitions.find((definition) =>
    typeof name === 'string'
      ? definition.name === name
      : valueKey(definition.specification.key) === valueKey(keyPattern),
  );
  if (!found)
    throw new CommandError(
      'IndexNotFound',
      `cannot find index ${String(name ?? JSON.stringify(keyPattern))} for ns ${database}`,
    );
  return found;
}
