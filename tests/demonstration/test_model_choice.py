"""Which model the demo takes."""

import pytest

from scripts.demonstration.model_choice import ModelChoiceError, ModelServer, from_environment


def test_nothing_in_the_environment_means_the_model_that_runs_here() -> None:
    assert from_environment({"OPENAI_API_KEY": ""}) is None


def test_an_openai_key_is_enough() -> None:
    server = from_environment({"OPENAI_API_KEY": "k"})
    assert server
    assert (server.base_url, server.api_key) == ("https://api.openai.com/v1", "k")


def test_an_own_server_goes_first_and_does_not_get_the_openai_key() -> None:
    environment = {"SAGE_BASE_URL": "http://box/v1", "SAGE_MODEL": "m", "OPENAI_API_KEY": "k"}
    assert from_environment(environment) == ModelServer(base_url="http://box/v1", model="m")


def test_an_own_server_needs_a_model() -> None:
    with pytest.raises(ModelChoiceError, match="SAGE_MODEL"):
        from_environment({"SAGE_BASE_URL": "http://box/v1"})
