/**
 * Leads as tutorials build them: Express and mongoose, the same fields, and no rule of the public API. It has no key, scope,
 * rate, idempotency, history or search. Its writes are as durable as Sluice's, and its queries use an index.
 */
import { createServer } from 'node:http';
import express from 'express';
import mongoose from 'mongoose';
import { listenAndTell } from '../support/tell.ts';

const schema = new mongoose.Schema(
  {
    account: { type: String, default: 'acc_bench' },
    name: { type: String, maxlength: 200 },
    company: { type: String, maxlength: 200 },
    email: { type: String, maxlength: 254 },
    phone: { type: String, maxlength: 50 },
    stage: { type: String, default: 'new' },
    external_id: { type: String, maxlength: 200 },
    tags: [String],
    fields: mongoose.Schema.Types.Mixed,
    note: { type: String, maxlength: 10_000 },
  },
  { timestamps: { createdAt: 'created_at', updatedAt: 'updated_at' } },
)
  .index({ account: 1, email: 1 })
  .index({ account: 1, created_at: -1 });
const Lead = mongoose.model('Lead', schema);
await mongoose.connect(process.env.MONGO_URL as string, { writeConcern: { w: 'majority', journal: true } });
await Lead.init();

const ACCOUNT = 'acc_bench';
const app = express();
app.use(express.json());
app.get('/api/public/leads/:id', async (request, response) => {
  const lead = await Lead.findById(request.params.id);
  if (lead === null) response.sendStatus(404);
  else response.json(lead);
});
app.get('/api/public/leads', async (request, response) => {
  const data = await Lead.find({ account: ACCOUNT })
    .sort({ created_at: -1 })
    .limit(Number(request.query.limit ?? 50));
  response.json({ data });
});
app.post('/api/public/leads', async (request, response) => {
  if (request.query.match_on !== 'email')
    return void response.status(201).json(await Lead.create(request.body));
  const { email } = request.body;
  const options = { upsert: true, returnDocument: 'after', runValidators: true } as const;
  response.json(await Lead.findOneAndUpdate({ account: ACCOUNT, email }, request.body, options));
});
listenAndTell(createServer(app));
