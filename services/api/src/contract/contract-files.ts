import { integrationContract } from './integration-contract.ts';

const CONTRACT = 'integrations/contract';

/** The integrations that are published without the rest of the repository, so each contains a copy. */
const COPIES = ['integrations/zapier/contract.json', 'integrations/node-red-sluice/contract.json'];

/** The generated files, by their path from the root of the repository. */
export function contractFiles(): Readonly<Record<string, string>> {
  const contract = text(integrationContract());
  return {
    [`${CONTRACT}/contract.json`]: contract,
    ...Object.fromEntries(COPIES.map((path) => [path, contract])),
  };
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
