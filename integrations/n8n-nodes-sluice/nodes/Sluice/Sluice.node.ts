import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type JsonObject,
	NodeApiError,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { menus } from '../../shared/menus';
import { createFieldTypes } from './field-types';
import { conversationProperties } from './resources/conversation.properties';
import { eventProperties } from './resources/event.properties';
import { leadProperties } from './resources/lead.properties';
import { storedEventProperties } from './resources/stored-event.properties';
import { runConversation } from './run-conversation';
import { runEvent } from './run-event';
import { runLead } from './run-lead';
import { runStoredEvent } from './run-stored-event';

const RUN = {
	lead: runLead,
	conversation: runConversation,
	event: runEvent,
	storedEvent: runStoredEvent,
} as const;

export class Sluice implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Sluice',
		name: 'sluice',
		icon: { light: 'file:../../icons/sluice.svg', dark: 'file:../../icons/sluice.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Reads and changes leads and conversations, and sends events',
		defaults: { name: 'Sluice' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'sluiceApi',
				required: true,
				displayOptions: { show: { resource: ['lead', 'conversation', 'storedEvent'] } },
			},
			{
				name: 'sluiceSourceApi',
				required: true,
				displayOptions: { show: { resource: ['event'] } },
			},
		],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Conversation', value: 'conversation' },
					{ name: 'Event', value: 'event' },
					{ name: 'Lead', value: 'lead' },
					{ name: 'Stored Event', value: 'storedEvent' },
				],
				default: 'lead',
			},
			...leadProperties,
			...conversationProperties,
			...eventProperties,
			...storedEventProperties,
		],
	};

	methods = { loadOptions: menus };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const output: INodeExecutionData[] = [];
		const fieldTypes = createFieldTypes(this);
		for (let itemIndex = 0; itemIndex < items.length; itemIndex++) {
			const resource = this.getNodeParameter('resource', itemIndex) as keyof typeof RUN;
			const operation = this.getNodeParameter('operation', itemIndex) as string;
			try {
				const results = await RUN[resource](this, operation, itemIndex, fieldTypes);
				output.push(...results.map((json) => asItem(json, itemIndex)));
			} catch (error) {
				if (!this.continueOnFail())
					throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex });
				output.push(asItem({ error: (error as Error).message }, itemIndex));
			}
		}
		return [output];
	}
}

function asItem(json: IDataObject, item: number): INodeExecutionData {
	return { json, pairedItem: { item } };
}
