import {
  channelPath,
  conversationPath,
  deliveryPath,
  eventPath,
  leadPath,
  sourcePath,
  webhookPath,
} from '../../shell/page-links.ts';

/** The page of a record, by the prefix of its id. */
const PATHS: Readonly<Record<string, (id: string) => string>> = {
  chn: (id) => channelPath(id, 'setup'),
  conv: conversationPath,
  dlv: deliveryPath,
  evt: eventPath,
  key: (id) => `/settings/api-keys?key=${id}`,
  lead: leadPath,
  src: (id) => sourcePath(id, 'setup'),
  stg: () => '/settings/pipeline',
  sub: (id) => webhookPath(id, 'setup'),
  usr: () => '/settings/members',
};

/** Returns the address of the record that an audit entry names. Undefined if it has no page. */
export function targetPath(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_/.exec(id) ?? [];
  return Object.hasOwn(PATHS, prefix) ? PATHS[prefix]?.(id) : undefined;
}
