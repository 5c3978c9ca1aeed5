import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '// Generated from openapi.json by npm run contract. Never edited.\n\n';

/**
 * The types of the API, made by openapi-typescript. The tool needs an older compiler than the repository, so this file is in
 * the workspace that has both.
 * @param {object} document the OpenAPI document
 */
export async function generateTypes(document) {
  const nodes = await openapiTS(JSON.parse(JSON.stringify(document), withoutExamples), {
    alphabetize: false,
    rootTypes: false,
    silent: true,
  });
  return HEAD + astToString(nodes);
}

const withoutExamples = (key, value) => (key === 'example' || key === 'examples' ? undefined : value);
