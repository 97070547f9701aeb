"""The published document: valid, the one that the code makes, and nothing in it that is never sent."""

import json
import re

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from openapi_spec_validator import validate

from api.json_route import METHODS_WITH_BODY, JsonRoute
from api.main import create_app
from api.openapi import openapi
from api.settings import Settings
from tests.contract.document import DOCUMENT


@pytest.fixture(scope="module")
def app(settings: Settings) -> FastAPI:
    return create_app(settings)


def test_the_document_is_valid(app: FastAPI) -> None:
    validate(openapi(app))


def test_the_published_document_is_the_one_the_code_makes(app: FastAPI) -> None:
    assert openapi(app) == DOCUMENT, "run `make openapi`"


def test_no_error_of_the_framework_is_in_it(app: FastAPI) -> None:
    assert "HTTPValidationError" not in json.dumps(openapi(app))


def test_types_have_names_that_a_client_can_be_generated_from(app: FastAPI) -> None:
    names = openapi(app)["components"]["schemas"]
    assert all(name.isidentifier() for name in names)
    assert {"Play", "PlayRequest"} <= set(names)


def test_operations_have_names_of_their_own(app: FastAPI) -> None:
    operations = [operation for path in openapi(app)["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    tags = {tag["name"] for tag in openapi(app)["tags"]}
    assert all(set(operation["tags"]) <= tags for operation in operations)


def test_every_call_with_a_body_judges_it_as_json(app: FastAPI) -> None:
    for route in iter_route_contexts(app.routes):
        if METHODS_WITH_BODY & (route.methods or set()):
            assert isinstance(route.original_route, JsonRoute), route.path


def test_every_reference_leads_to_a_component_and_back(app: FastAPI) -> None:
    document = json.dumps(openapi(app))
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', document))
    assert referred == set(openapi(app)["components"]["schemas"])
