import type { INodeProperties } from 'n8n-workflow';
import { showFor } from './show';

export const eventProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['event'] } },
		options: [
			{
				name: 'Cancel',
				value: 'cancel',
				action: 'Cancel an event',
				description: 'Mark an event as cancelled',
			},
			{ name: 'Create or Update', value: 'upsert', action: 'Create or update an event' },
			{ name: 'Delete', value: 'delete', action: 'Delete an event' },
		],
		default: 'upsert',
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		required: true,
		displayOptions: showFor('event', ['upsert', 'cancel', 'delete']),
		description: 'Title, start and location identify an event',
	},
	{
		displayName: 'Start',
		name: 'startsAt',
		type: 'dateTime',
		default: '',
		required: true,
		displayOptions: showFor('event', ['upsert', 'cancel', 'delete']),
		description: 'Without an offset, the time is in UTC',
	},
	{
		displayName: 'Location',
		name: 'location',
		type: 'string',
		default: '',
		displayOptions: showFor('event', ['upsert', 'cancel', 'delete']),
	},
	{
		displayName: 'Fields',
		name: 'eventFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: showFor('event', ['upsert']),
		description: 'A field that is not sent is cleared',
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
			},
			{
				displayName: 'End',
				name: 'ends_at',
				type: 'dateTime',
				default: '',
				description: 'Without an offset, the time is in UTC',
			},
			{ displayName: 'Price', name: 'price', type: 'string', default: '' },
			{
				displayName: 'Recurring',
				name: 'recurring',
				type: 'options',
				options: [
					{ name: 'Daily', value: 'daily' },
					{ name: 'Monthly', value: 'monthly' },
					{ name: 'No', value: 'none' },
					{ name: 'Weekly', value: 'weekly' },
					{ name: 'Yearly', value: 'yearly' },
				],
				default: 'none',
			},
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
		],
	},
];
