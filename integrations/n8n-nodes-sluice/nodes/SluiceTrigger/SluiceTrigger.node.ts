import {
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { menus } from '../../shared/menus';
import { isRepeated } from './seen-messages';
import { isSubscribed, subscribe, unsubscribe, wantedSubscription } from './subscription';
import { verifyRequest } from './verify-request';

/**
 * A made-up message that shows whether messages arrive has this kind, or this header and the kind that was asked for. The
 * editor takes it for an event, a published workflow does not.
 */
const TEST_KIND = 'webhook.test';
const TEST_HEADER = 'webhook-test';

export class SluiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Sluice Trigger',
		name: 'sluiceTrigger',
		icon: { light: 'file:../../icons/sluice.svg', dark: 'file:../../icons/sluice.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Starts the workflow when a lead, a conversation or an event changes',
		defaults: { name: 'Sluice Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'sluiceApi', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties: [
			{
				displayName: 'Event Names or IDs',
				name: 'events',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getEventKinds' },
				required: true,
				default: [],
				description:
					'What starts the workflow. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			{
				displayName: 'Simplify',
				name: 'simplify',
				type: 'boolean',
				default: true,
				description:
					'Whether to return a simplified version of the response instead of the raw data',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Channel Name or ID',
						name: 'channel_id',
						type: 'options',
						typeOptions: { loadOptionsMethod: 'getChannels' },
						default: '',
						description:
							'Only conversations of this channel. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					},
					{
						displayName: 'In Order',
						name: 'ordered',
						type: 'boolean',
						default: false,
						description:
							'Whether the messages about one record arrive one after the other. n8n responds before it runs the workflow, so their runs may overlap.',
					},
					{
						displayName: 'Source Name or ID',
						name: 'source_id',
						type: 'options',
						typeOptions: { loadOptionsMethod: 'getSources' },
						default: '',
						description:
							'Only events of this source. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					},
					{
						displayName: 'Stage Name or ID',
						name: 'stage',
						type: 'options',
						typeOptions: { loadOptionsMethod: 'getStages' },
						default: '',
						description:
							'Only leads in this stage. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					},
					{
						displayName: 'Verify Signature',
						name: 'verify',
						type: 'boolean',
						default: true,
						description:
							'Whether to reject messages that Sluice did not sign. Keep this on: the webhook URL is public.',
					},
				],
			},
		],
		usableAsTool: undefined,
	};

	methods = { loadOptions: menus };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await isSubscribed(this, wantedSubscription(this));
			},

			async create(this: IHookFunctions): Promise<boolean> {
				const wanted = wantedSubscription(this);
				if (wanted.events.length === 0)
					throw new NodeOperationError(this.getNode(), 'Choose at least one event');
				await subscribe(this, wanted);
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				await unsubscribe(this, wantedSubscription(this).url);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const headers = this.getHeaderData() as Record<string, string | undefined>;
		const options = this.getNodeParameter('options', {}) as IDataObject;
		if (options.verify !== false) {
			const verified = await verifyRequest(this);
			if (!verified.verified) {
				this.getResponseObject().status(401).json({ message: verified.reason });
				return { noWebhookResponse: true };
			}
		}
		const message = this.getBodyData();
		const isTest = message.type === TEST_KIND || headers[TEST_HEADER] !== undefined;
		if (isTest && this.getMode() !== 'manual')
			return { webhookResponse: { message: 'The test arrived. It starts no workflow.' } };
		if (isRepeated(this, this.getWorkflowStaticData('node'), String(message.id)))
			return { webhookResponse: { message: 'This message was received before.' } };
		const simplify = this.getNodeParameter('simplify', true) as boolean;
		return { workflowData: [[{ json: simplify ? simplified(message) : message }]] };
	}
}

/** The record, and what the message says about it in fields whose names no record has. */
function simplified({ id, type, timestamp, sequence, actor, data }: IDataObject): IDataObject {
	return {
		...(data as IDataObject),
		event: type,
		event_id: id,
		event_timestamp: timestamp,
		event_sequence: sequence,
		event_actor: actor,
	};
}
