"""Words in names of entities that indicate a risk, such as "iron" in the name of a plug.

Case and accents are ignored. Words must match completely; stems also match inside longer words.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ...text.words import words


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordList:
    """Words in entity names that identify one kind of device, such as an iron."""

    words: frozenset[str]
    stems: tuple[str, ...] = ()
    whole: frozenset[str] = frozenset()
    """Words that match only as the whole name, such as `four` (French for oven)."""

    exceptions: tuple[str, ...] = ()
    """Parts of names to ignore, such as `child lock` in a list of words for locks."""

    longest: int
    """Number of words in the longest entry of `words`, such as 3 for `ferro da stiro`."""

    def names(self, names: Iterable[str]) -> bool:
        """Return whether at least one of these names matches this list."""
        return any(self._matches(name) for name in names)

    # The lists are constants, and a home asks for the same names at each change.
    @lru_cache(maxsize=16384)  # noqa: B019
    def _matches(self, name: str) -> bool:
        name = plain(name)
        if name in self.whole:
            return True
        for exception in self.exceptions:
            name = name.replace(exception, _GAP)
        if any(stem in name for stem in self.stems):
            return True
        parts = name.split()
        return any(
            " ".join(parts[start:end]) in self.words
            for start in range(len(parts))
            for end in range(start + 1, min(start + self.longest, len(parts)) + 1)
        )


_GAP: Final = " - "
"""Replacement of an exception in a name, so that no entry matches across the gap."""


@lru_cache(maxsize=2048)
def plain(name: str) -> str:
    """Return the words of a name in lower case, without accents, joined by single spaces."""
    return " ".join(words(name))


def _split(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (plain(word) for word in text.split(","))))


def _word_list(*, words: str, stems: str = "", whole: str = "", exceptions: str = "") -> WordList:
    found = frozenset(_split(words))
    return WordList(
        words=found,
        longest=max(len(word.split()) for word in found),
        whole=frozenset(_split(whole)) if whole else frozenset(),
        stems=_split(stems) if stems else (),
        exceptions=_split(exceptions) if exceptions else (),
    )


HEATING_APPLIANCE: Final = _word_list(
    words=(
        # English
        "oven, ovens, stove, stovetop, hob, hobs, cooker, cooktop, kitchen range,"
        "gas range, electric range, induction range, slide in range, hotplate, hot plate,"
        "iron, griddle, grill, barbecue, bbq, smoker, fryer, heater, heaters, fireplace, sauna,"
        "kiln, toaster, broiler, slow cooker, electric blanket, heated blanket, heating pad,"
        "hair straightener, curling iron, soldering iron, glue gun, sous vide, microwave,"
        # German
        "ofen, herd, herdplatte, kochplatte, kamin, heizdecke, heizkissen, grillplatte,"
        "mikrowelle, glatteisen, lockenstab, lotkolben, fritteuse, waffeleisen, airfryer,"
        # French
        "fourneau, cuisiniere, gaziniere, plaque, plaques, rechaud, poele, fer, cheminee,"
        "friteuse, plancha, micro ondes, couverture chauffante, grille pain, le four,"
        "four a pizza, four electrique, four encastrable, four cuisine, mini four,"
        # Spanish, Portuguese, Italian
        "horno, estufa, vitroceramica, plancha, calefactor, freidora, hornillo, brasero,"
        "forno, fogao, ferro, ferro de passar, aquecedor, churrasqueira, piano cottura,"
        "fornello, fornelli, stufa, ferro da stiro, stufetta, termoventilatore,"
        # Dutch, Danish, Norwegian, Swedish, Finnish
        "fornuis, kookplaat, kachel, strijkijzer, ovn, komfur, kogeplade, strygejern, komfyr,"
        "platetopp, strykejern, ugn, spis, spishall, strykjarn, uuni, liesi, silitysrauta,"
        # Polish, Czech, Slovak, Hungarian, Russian, Ukrainian, Turkish, Greek
        "piekarnik, kuchenka, zelazko, farelka, trouba, sporak, zehlicka, rura, suto, tuzhely,"
        "vasalo, духовка, плита, утюг, обогреватель, духова шафа, праска, обігрівач,"
        "firin, ocak, utu, isitici, φουρνος, σιδερο, κουζινα ηλεκτρικη"
    ),
    stems=(
        "backofen, backrohr, kochfeld, elektroherd, gasherd, standherd, induktionsherd,"
        "bugeleisen, bugelstation, dampfstation, heizlufter, heizstrahler, heizgerat,"
        "heizpilz, terrassenstrahler, warmestrahler, tischgrill, elektrogrill, gasgrill,"
        "pizzaofen, kaminofen, dampfgarer, kookplaten, inductieplaat, straalkachel, bakoven,"
        "airfryer, air fryer, space heater, patio heater, fan heater, infrared heater,"
        "table de cuisson, plaque de cuisson, fer a repasser, chauffage d appoint,"
        "radiateur d appoint, radiateur soufflant, piano de cuisson, plita"
    ),
    exceptions=(
        "dishwasher, washing machine, range hood, cooker hood, range extender, wifi range,"
        "water heater, heater water, pool heater, engine heater, block heater, heat pump,"
        "chauffe eau, wine cooler, iron man,"
        "oven light, oven lamp, oven door, backofenlicht, child lock, kindersicherung,"
        "grill light, fireplace light, fireplace lamp, free range, long range,"
        "plaque d immatriculation, fer a cheval,"
        "chemin de fer"
    ),
    whole="range, samsung range, smart range, four, placa, placas",
)
"""Words for appliances that may cause a fire when unattended."""

SECURITY: Final = _word_list(
    words=(
        "camera, cameras, cam, alarm, alarms, surveillance, cctv, siren, intruder, intrusion,"
        "burglar, security, doorbell, motion detection, person detection, recording, nvr,"
        "smoke detector, smoke alarm, carbon monoxide, leak detector, tamper,"
        "kamera, kameras, uberwachung, sirene, einbruch, turklingel, bewegungserkennung,"
        "aufzeichnung, sicherheit, rauchmelder, rauchwarnmelder,"
        "cameras, alarme, videosurveillance, securite, sonnette, detection de mouvement,"
        "detecteur de fumee, enregistrement,"
        "camara, camaras, alarma, sirena, seguridad, vigilancia, telecamera, telecamere,"
        "allarme, sorveglianza, sicurezza, alarme, seguranca, beveiliging, bewaking,"
        "kamery, alarmy, monitoring, larm, sakerhet, overvakning, камера, сигнализация,"
        "сирена, охрана"
    ),
    stems="alarmanlage, uberwachung, einbruchmeld, sicherheitskamera, alarmsysteem, kamerasystem",
    exceptions=(
        "alarm clock, wake up alarm, wakeup alarm, morning alarm, alarm volume, camera light,"
        "cama rapida"
    ),
)
"""Words for devices that protect the home, such as cameras and smoke detectors."""

PRIVACY: Final = _word_list(
    words=(
        "privacy, privacy mode, sleep mode, lens cover, privatsphare, privatmodus,"
        "vie privee, mode prive, confidentialite, privacidad, privacymodus, bypass"
    ),
)
"""Words for switches that disable a camera or sensor while the switch is on."""

OPENING: Final = _word_list(
    words=(
        "garage, garage door, gate, gates, door, doors, front door, entrance, barrier,"
        "tor, tore, tur, haustur, pforte, schranke, einfahrt, schiebetor, hoftor,"
        "portail, portillon, porte, portes, barriere, entree,"
        "portal, puerta, porton, verja, cochera, cancello, porta, portone, serranda, box auto,"
        "portao, garagem, poort, garagepoort, deur, voordeur, hek, slagboom,"
        "brama, furtka, garaz, drzwi, vrata, brana, port, garageport, dorr, grind,"
        "ворота, гараж, дверь, калитка, kapi"
    ),
    stems="garagentor, garagedoor, garagentur, haustur, rolltor, hoftor, schiebetor, einfahrtstor",
    exceptions="tor browser, wardrobe door, kleiderschrank",
)
"""Words for covers that open an entrance."""

# Without `door`: it may be the door of a fridge.
GATE: Final = _word_list(
    words=(
        "garage door, garage opener, overhead door, gate, gates, tor, tore, pforte, schranke,"
        "portail, portillon, porte de garage, barriere, puerta de garaje, porton, cancello,"
        "portone, portao, garagepoort, poort, slagboom, brama, brana, garageport, ворота"
    ),
    stems="garagentor, garagedoor, hoftor, rolltor, schiebetor, einfahrtstor",
)
"""Words for switches and buttons that open a gate or garage door."""

LOCKING: Final = _word_list(
    words=(
        "lock, door lock, smart lock, door opener, gate opener, door release, door strike, buzzer,"
        "schloss, turschloss, turoffner, toroffner, turoffnung,"
        "serrure, gache, ouvre porte, cerradura, cerrojo, serratura, apriporta, fechadura,"
        "deurslot, deuropener, zamek, lukko, замок"
    ),
    stems="turschloss, turoffner, toroffner, doorlock, deurslot",
    exceptions=(
        "child lock, key lock, button lock, screen lock, panel lock, keypad lock, control lock,"
        "kindersicherung"
    ),
)
"""Words for switches and buttons that operate a lock."""

RESTARTING: Final = _word_list(
    words=(
        "restart, reboot, reset, factory reset, firmware, update, ota, neustart, neu starten,"
        "zurucksetzen, werkseinstellungen, werksreset, redemarrer, redemarrage, reinitialiser,"
        "reinicio, reiniciar, riavvia, herstart, opnieuw opstarten, power cycle"
    ),
    stems="neustart, reboot, factory reset",
    exceptions="filter reset, reset filter, software update available",
)
"""Words for buttons that restart, reset or update a device."""

LIGHTING: Final = _word_list(
    words=(
        "light, lights, lamp, led, licht, lampe, beleuchtung, lumiere, eclairage, luz, luce,"
        "verlichting, lampka, ljus, lys, lampa, свет, лампа"
    ),
    stems="beleuchtung, lampe",
)
"""Words for lamps, which are harmless even if the name contains "oven"."""

STOPPING: Final = _word_list(
    words=(
        "off, stop, stopped, pause, paused, cancel, abort, end, standby, idle, none, disable,"
        "disabled, false, no, aus, abbrechen, anhalten, ende, beenden, ausschalten, keine,"
        "arret, arreter, eteint, eteindre, annuler, aucun, apagado, apagar, parar, spento,"
        "spegni, ferma, uit, stoppen, wyl, av, sluk"
    ),
    stems="turn off, switch off, power off",
)
"""Words that mean stop or off, in values and names."""
