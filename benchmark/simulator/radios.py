"""The cloud's description of the connection between a device and its hub."""

from collections.abc import Mapping
from typing import Any

type Json = dict[str, Any]


def connection(kind: str, device_id: str, hub_id: str | None) -> Json:
    """Return the block that is named after the type of the device.

    Addresses are made from the id of the device, so that no two devices share one.
    """
    address = device_id.replace("-", "").upper()
    if kind == "HUB":
        return _hub(address)
    if kind not in _ADDRESSES:
        return {}
    return {
        **_ADDRESSES[kind](address),
        "driverId": "3b1c7a52-6f0e-4d7c-9a51-2f4f0c8f6d10",
        "executingLocally": True,
        "hubId": hub_id or device_id,
        "provisioningState": "PROVISIONED",
    }


def _hub(address: str) -> Json:
    pairs = [address[place : place + 2] for place in range(0, 12, 2)]
    return {
        "hubEui": address[:16],
        "firmwareVersion": "000.058.00010",
        "hubData": {"hardwareType": "V3_HUB", "hardwareId": "0035", "macAddress": ":".join(pairs)},
        "hubDrivers": [],
    }


def _zigbee(address: str) -> Json:
    return {"eui": address[:16], "networkId": address[16:20]}


def _zwave(address: str) -> Json:
    return {
        "networkId": address[:2],
        "networkSecurityLevel": "ZWAVE_S2_AUTHENTICATED",
        "manufacturerId": int(address[2:5], 16),
        "productType": int(address[5:8], 16),
        "productId": int(address[8:11], 16),
    }


def _matter(address: str) -> Json:
    return {
        "networkId": f"{address[:16]}-{address[16:32]}",
        "uniqueId": address[:16],
        "vendorId": int(address[2:5], 16),
        "productId": int(address[5:8], 16),
        "serialNumber": address[8:20],
        "listeningType": "SLEEPY",
        "supportedNetworkInterfaces": ["THREAD"],
        "version": {
            "hardware": 18,
            "hardwareLabel": "1.2.0",
            "software": 20009,
            "softwareLabel": "2.00.09",
        },
    }


_ADDRESSES: Mapping[str, Any] = {"ZIGBEE": _zigbee, "ZWAVE": _zwave, "MATTER": _matter}
