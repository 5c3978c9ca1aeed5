import { openApiDocument } from '../docs/openapi.ts';
import { PUBLIC_ROUTES } from '../public/routes.ts';
import { integrationContract } from './integration-contract.ts';

const CONTRACT = 'integrations/contract';

/** The integrations that are published without the rest of the repository, so each contains a copy. */
const COPIES = ['integrations/zapier/contract.json', 'integrations/node-red-sluice/contract.json'];

/** The addresses of an installation on the own machine. */
const ADDRESSES = { eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' };

/** The generated files, by their path from the root of the repository. */
export function contractFiles(): Readonly<Record<string, string>> {
  const contract = text(integrationContract());
  return {
    [`${CONTRACT}/openapi.json`]: text(openApiDocument(ADDRESSES, PUBLIC_ROUTES)),
    [`${CONTRACT}/contract.json`]: contract,
    ...Object.fromEntries(COPIES.map((path) => [path, contract])),
  };
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
