import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { lacks } from '../shared/credential-test-rules';
import { signEvent } from '../shared/sign-event';

/** Signed, but no action: the source rejects it once it has verified the signature, and applies nothing. */
const NO_ACTION = { action: 'check' };

const UNCONFIRMED =
	'No Sluice source confirmed the secret. Copy the endpoint URL again, or test again later.';

/** A problem that says that the URL or the secret is wrong. */
function wrong(code: string, message: string) {
	return {
		type: 'responseSuccessBody' as const,
		properties: { key: 'code', value: code, message },
	};
}

/** The endpoint of a webhook source and its signing secret. Only the resource Event needs it. */
export class SluiceSourceApi implements ICredentialType {
	name = 'sluiceSourceApi';

	displayName = 'Sluice Source API';

	icon: Icon = { light: 'file:../icons/sluice.svg', dark: 'file:../icons/sluice.dark.svg' };

	documentationUrl = 'https://github.com/sluice-io/sluice/blob/main/docs/integrations.md#n8n';

	properties: INodeProperties[] = [
		{
			displayName: 'Endpoint URL',
			name: 'endpointUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://hooks.example.com/api/v1/events/webhook/src_…',
			description: 'From the page of the source in the dashboard',
		},
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'whsec_…',
			description: 'The whole secret, with whsec_',
		},
	];

	async authenticate(
		{ signingSecret }: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const body = JSON.stringify(options.body);
		const headers = { ...options.headers, ...signEvent(body, String(signingSecret), Date.now()) };
		return { ...options, body, headers };
	}

	test: ICredentialTestRequest = {
		request: {
			url: '={{$credentials.endpointUrl}}',
			method: 'POST',
			body: NO_ACTION,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		},
		rules: [
			wrong('signature_invalid', 'The signing secret is wrong. Copy it again from the source.'),
			wrong('too_many_bad_signatures', 'The signing secret is wrong. Copy it again from the source.'),
			wrong('source_not_found', 'No source has this URL. Copy the endpoint URL again.'),
			wrong('not_found', 'This is not an endpoint URL. Copy it again from the source.'),
			wrong('timestamp_expired', 'The clock of n8n is more than five minutes wrong.'),
			wrong('source_inactive', 'The source is switched off. Switch it on in the dashboard.'),
			// Only a source that verified the signature names the field that is wrong.
			...['request_id', 'errors[0].pointer'].map((field) => lacks(field, UNCONFIRMED)),
		],
	};
}
