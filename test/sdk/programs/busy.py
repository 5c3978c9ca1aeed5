"""Reads a lead from a server that is busy, with the client that openapi-generator makes. Prints the status of the error."""
import os
import sys

import sluice_client
from sluice_client.exceptions import ApiException

options = {"retries": int(value) for value in sys.argv[1:]}
configuration = sluice_client.Configuration(
    host=os.environ["SLUICE_URL"], access_token=os.environ["SLUICE_API_KEY"], **options
)
with sluice_client.ApiClient(configuration) as connection:
    try:
        sluice_client.LeadsApi(connection).get_lead("lead_none")
    except ApiException as error:
        print(error.status)
