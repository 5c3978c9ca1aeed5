import { type Sample, SECRET_VARIABLE } from './sample.ts';

export const node: Sample = {
  id: 'node',
  label: 'Node',
  file: 'send.mjs',
  run: 'node send.mjs',
  code: ({ endpointUrl, secret, body }) => `import { createHmac } from 'node:crypto';

const secret = ${secret === null ? `process.env.${SECRET_VARIABLE}` : `'${secret}'`};
const body = String.raw\`${body}\`;
const timestamp = Math.floor(Date.now() / 1000).toString();
const signature = createHmac('sha256', secret).update(\`\${timestamp}.\${body}\`).digest('hex');

const response = await fetch('${endpointUrl}', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': \`sha256=\${signature}\`,
  },
  body,
});
console.log(response.status, await response.text());
`,
};
