"""Calls every kind of operation with the client that openapi-generator makes. Prints what it read, as JSON."""
import json
import os
import sys

import sluice_client
from sluice_client.exceptions import ApiException

configuration = sluice_client.Configuration(host=os.environ["SLUICE_URL"], access_token=os.environ["SLUICE_API_KEY"])
with sluice_client.ApiClient(configuration) as connection:
    leads = sluice_client.LeadsApi(connection)
    webhooks = sluice_client.WebhookSubscriptionsApi(connection)
    for number in range(3):
        body = sluice_client.CreateLeadBody(
            name=f"Lead {number}", email=f"lead{number}@example.com", tags=["fair"],
            fields={"budget": sluice_client.CreateLeadBodyFieldsValue(1200 + number)},
        )
        written = leads.create_lead(body, match_on="email", idempotency_key=f"lead-{number}")
    names, cursor = [], None
    while True:
        page = leads.list_leads(limit=2, sort="created_at", cursor=cursor)
        names += [lead.name for lead in page.data]
        cursor = page.next_cursor
        if cursor is None:
            break
    lead = leads.get_lead(written.id)
    changed = leads.update_lead(lead.id, sluice_client.UpdateLeadBody(company="Acme"))
    moved = leads.move_lead(lead.id, sluice_client.MoveLeadBody(stage="stg_contacted"))
    try:
        leads.get_lead("lead_none")
        sys.exit("no problem")
    except ApiException as error:
        status, problem = error.status, json.loads(error.body)
    kinds = webhooks.list_event_kinds()
    message = sluice_client.WebhookMessage.from_json(json.dumps(kinds[4].sample))
    print(json.dumps({
        "names": names,
        "budget": lead.fields["budget"].actual_instance,
        "company": changed.company,
        "stage": moved.stage,
        "status": status,
        "code": problem["code"],
        "type": message.actual_instance.type,
        "sample": message.actual_instance.data.email,
    }))
