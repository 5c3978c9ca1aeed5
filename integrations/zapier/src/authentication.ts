import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { callApi } from './api';

interface Identity {
  readonly account?: { readonly id?: string; readonly name?: string } | null;
  readonly key?: { readonly id?: string; readonly name?: string; readonly prefix?: string } | null;
}

async function test(z: ZObject, bundle: Bundle): Promise<Identity> {
  const identity = await callApi<Identity | null | undefined>(z, bundle, '/automation/me');
  if (!isIdentity(identity))
    throw new z.errors.Error(
      'No Sluice API server responds at this base URL. Copy the address of your dashboard.',
      'base_url',
      404,
    );
  return identity;
}

/** Another service can respond with 200 too. Only Sluice names an account and the prefix of a key here. */
function isIdentity(body: Identity | null | undefined): body is Identity {
  const { account, key } = body ?? {};
  return [account?.id, account?.name, key?.id, key?.name, key?.prefix].every(
    (text) => typeof text === 'string',
  );
}

/** Zapier shows the account and the key beside the connection. */
async function connectionLabel(_: ZObject, { inputData }: Bundle): Promise<string> {
  const { account, key } = inputData as Identity;
  return `${account?.name} (${key?.name})`;
}

export const authentication: Authentication = {
  type: 'custom',
  test,
  connectionLabel,
  fields: [
    {
      key: 'base_url',
      label: 'Base URL',
      required: true,
      placeholder: 'https://sluice.example.com',
      helpText: 'The address of your Sluice dashboard.',
    },
    {
      key: 'api_key',
      label: 'API Key',
      type: 'password',
      required: true,
      helpText:
        'From **Settings > API Keys** of your dashboard. Triggers need the scope `webhooks`. Actions need the scopes for leads or conversations.',
    },
  ],
};
