import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { lacks, redirects, respondsWith } from '../shared/credential-test-rules';

const NO_API = 'No Sluice API server responds at this base URL. Copy the address of your dashboard.';

/** An API key of a Sluice account. Its scopes decide what the nodes can do. */
export class SluiceApi implements ICredentialType {
	name = 'sluiceApi';

	displayName = 'Sluice API';

	icon: Icon = { light: 'file:../icons/sluice.svg', dark: 'file:../icons/sluice.dark.svg' };

	documentationUrl = 'https://github.com/sluice-io/sluice/blob/main/docs/integrations.md#n8n';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://sluice.example.com',
			description: 'The address of the dashboard, without a path',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'slc_live_…',
			description: 'From Settings > API Keys. The trigger needs the scope webhooks.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.replace(new RegExp("/+$"), "")}}',
			url: '/api/public/automation/me',
			method: 'GET',
			disableFollowRedirect: true,
		},
		// Another service can respond with 200 too. Only Sluice names an account and the prefix of a key here.
		rules: [
			respondsWith(401, 'The API key is wrong, revoked or expired. Copy the whole key, or create one under Settings > API Keys.'),
			respondsWith(404, NO_API),
			respondsWith(503, 'Sluice cannot check the key just now. Try again in a minute.'),
			...redirects(
				'The base URL redirects to another address. Copy it again from your Sluice dashboard.',
			),
			...['account.id', 'key.id', 'key.prefix', 'key.scopes'].map((field) => lacks(field, NO_API)),
		] as ICredentialTestRequest['rules'],
	};
}
