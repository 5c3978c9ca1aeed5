import type { INodeProperties } from 'n8n-workflow';
import { returned } from './returned';
import { showFor } from './show';

export const conversationProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['conversation'] } },
		options: [
			{
				name: 'Accept Handoff',
				value: 'acceptHandoff',
				action: 'Accept a handoff',
				description: 'Take over a conversation whose visitor waits, so that you can reply',
			},
			{
				name: 'End Handoff',
				value: 'endHandoff',
				action: 'End a handoff',
				description: 'Give a conversation back to its channel',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a conversation',
				description: 'Get a conversation with its contact and session data',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many conversations',
				description: 'Get conversations, newest first',
			},
			{
				name: 'Get Messages',
				value: 'getMessages',
				action: 'Get the messages of a conversation',
				description: 'Get the messages of a conversation, oldest first',
			},
			{
				name: 'Send Reply',
				value: 'reply',
				action: 'Send a reply',
				description: 'Reply to the visitor while a handoff is active',
			},
		],
		default: 'getAll',
	},
	{
		displayName: 'Conversation ID',
		name: 'conversationId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'conv_…',
		displayOptions: showFor('conversation', [
			'acceptHandoff',
			'endHandoff',
			'get',
			'getMessages',
			'reply',
		]),
	},
	{
		displayName: 'Agent Name',
		name: 'agentName',
		type: 'string',
		default: '',
		displayOptions: showFor('conversation', ['acceptHandoff']),
		description: 'Who answers the visitor. Without a name, it is that of the API key.',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		displayOptions: showFor('conversation', ['reply']),
	},
	{
		displayName: 'Author Name',
		name: 'authorName',
		type: 'string',
		default: '',
		displayOptions: showFor('conversation', ['reply']),
		description: 'The name that the visitor sees',
	},
	...returned('conversation', ['getAll', 'getMessages']),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: showFor('conversation', ['getAll']),
		options: [
			{
				displayName: 'Channel Name or ID',
				name: 'channel',
				type: 'options',
				typeOptions: { loadOptionsMethod: 'getChannels' },
				default: '',
				description:
					'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
			{
				displayName: 'Lead ID',
				name: 'lead_id',
				type: 'string',
				default: '',
				description: 'Finds none if it is empty',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: [
					{ name: 'Closed', value: 'closed' },
					{ name: 'Handoff Active', value: 'handoff_active' },
					{ name: 'Handoff Requested', value: 'handoff_requested' },
					{ name: 'Open', value: 'open' },
				],
				default: 'open',
			},
			{
				displayName: 'Updated Since',
				name: 'updated_since',
				type: 'dateTime',
				default: '',
				description:
					'Only conversations that changed at or after this time. Without an offset, the time is in UTC.',
			},
		],
	},
];
