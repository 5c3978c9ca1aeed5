import { isDocument } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import type { Collection } from '../storage/collection.ts';
import { checkedExpiry, type IndexDefinition, parseIndexDefinition } from '../storage/index-definition.ts';
import { type Command, namespaceOf } from './command.ts';

/** `collMod`: changes only the expiry of a TTL index, or turns an index into one. */
export const collMod: Command = {
  fields: ['index'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const collection = catalog.collection(namespace);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const { index: wanted } = request.body;
    if (!isDocument(wanted) || Object.keys(wanted).join() !== 'keyPattern,expireAfterSeconds')
      throw notSupported('an option of collMod besides index.keyPattern and index.expireAfterSeconds');
    checkedExpiry(wanted.expireAfterSeconds);
    const { specification } = indexToModify(collection, wanted.keyPattern, namespace);
    const changed = parseIndexDefinition({ ...specification, expireAfterSeconds: wanted.expireAfterSeconds });
    catalog.redefineIndex(collection, changed);
    return [];
  },
};

function indexToModify(collection: Collection, key: unknown, namespace: string): IndexDefinition {
  for (const { definition } of collection.indexes.values())
    if (valueKey(definition.specification.key) === valueKey(key)) return definition;
  throw new CommandError('IndexNotFound', `cannot find index ${JSON.stringify(key)} for ns ${namespace}`);
}
