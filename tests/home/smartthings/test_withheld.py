"""What is withheld from everybody, whatever is exposed."""

import pytest

from custom_components.sage.home.smartthings.withheld import (
    does_something,
    is_never_offered,
    is_noise,
    is_secret,
    tells_something,
)


@pytest.mark.parametrize(
    "capability",
    [
        "execute",
        "ocf",
        "refresh",
        "healthCheck",
        "samsungce.driverVersion",
        "legendabsolute60149.driverVersion1",
        "samsungce.softwareUpdate",
        "samsungce.softwareVersion",
        "samsungce.dongleSoftwareInstallation",
        "sec.wifiConfiguration",
        "sec.diagnosticsInformation",
        "samsungim.devicestatus",
        "samsungim.hubOnboarding",
        "custom.disabledCapabilities",
        "custom.disabledComponents",
        "samsungce.bixbySettings",
        "tag.factoryReset",
        "geolocation",
        "faceRecognition",
        "lockCodes",
        "lockUsers",
        "lockCredentials",
        "lockSchedules",
    ],
)
def test_these_are_never_offered(capability: str) -> None:
    assert is_never_offered(capability)


@pytest.mark.parametrize(
    "capability", ["switch", "tvChannel", "lock", "custom.launchapp", "samsungvd.remoteControl"]
)
def test_these_are(capability: str) -> None:
    assert not is_never_offered(capability)


@pytest.mark.parametrize(
    ("capability", "attribute", "secret"),
    [
        ("lockCodes", "lockCodes", True),
        ("lockCodes", "codeChanged", True),
        ("lockUsers", "users", True),
        ("lockCredentials", "credentials", True),
        ("platinummassive43262.unlockCodeName", "unlockCodeName", True),
        ("videoStream", "stream", True),
        ("imageCapture", "image", True),
        ("samsungce.deviceIdentification", "serialNumber", True),
        ("some.thing", "accessToken", True),
        ("samsungce.clothingExtraCare", "userLocation", True),
        ("lock", "lock", False),
        ("samsungce.kidsLock", "lockState", False),
        ("tvChannel", "tvChannelName", False),
        ("switch", "switch", False),
    ],
)
def test_secrets(capability: str, attribute: str, secret: bool) -> None:
    assert is_secret(capability, attribute) is secret


def test_noise_is_not_listed() -> None:
    noise = ("custom.error", "tag.tagStatus", "videoStream")

    assert all(map(is_noise, noise))
    assert not any(map(is_noise, ("switch", "tvChannel", "custom.launchapp", "lock")))


def test_what_only_describes_tells_nothing() -> None:
    assert tells_something("washingCourse")
    assert not tells_something("supportedWashingCourses")
    assert not tells_something("coolingSetpointRange")
    assert does_something("setTvChannel")
    assert not does_something("resetEnergyMeter")
