"""Words in names of entities that indicate a risk, such as "iron" in the name of a plug.

Case and accents are ignored. Words must match completely; stems also match inside longer words.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
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

    def are_whole(self, names: Iterable[str]) -> bool:
        """Return whether at least one name has no other words than those of this list."""
        return any(self._matches(name) and self._covers(plain(name).split()) for name in names)

    def _covers(self, parts: list[str]) -> bool:
        """Return whether all parts of a name are numbers or belong to entries of this list."""
        return not parts or any(
            (parts[0].isdigit() or " ".join(parts[:end]) in self.words)
            and self._covers(parts[end:])
            for end in range(1, min(self.longest, len(parts)) + 1)
        )

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
        "smoke detector, smoke alarm, carbon monoxide, leak detector, tamper, sump pump, frost,"
        "frost protection, frostschutz, tauchpumpe, hebeanlage, pompe de relevage, hors gel,"
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

LIFE: Final = _word_list(
    words=(
        # English, German, French
        "oxygen, ventilator machine, breathing machine, sleep apnea, life support, feeding pump,"
        "infusion, infusion pump, hospital bed, patient lift, stair lift, stairlift, wheelchair,"
        "nurse call, baby monitor, incubator, fish tank, fish pond, vivarium, heart monitor,"
        "pflegebett, krankenbett, patientenlifter, treppenlift, rollstuhl, hausnotruf,"
        "babyfon, babyphon, babyphone, brutkasten, brutapparat, inkubator, inhalator, fischteich,"
        "lit medicalise, fauteuil roulant, monte escalier, teleassistance, ecoute bebe, couveuse,"
        "apnee, perfusion, aerosol, leve personne,"
        # Spanish, Portuguese, Italian
        "cama medica, silla de ruedas, salvaescaleras, pecera, incubadora, vigilabebes, apnea,"
        "cadeira de rodas, incubadora, baba eletronica, sedia a rotelle, montascale, incubatrice,"
        # Dutch, Swedish, Danish, Norwegian, Finnish
        "rolstoel, traplift, babyfoon, rullstol, babyvakt, kuvos, ilt, iltapparat, korestol,"
        "rullestol, happi, happirikastin, hengityskone, pyoratuoli,"
        # Polish, Czech, Hungarian, Russian, Ukrainian, Turkish
        "tlen, wozek inwalidzki, kyslik, invalidni vozik, oltaztato, ивл, инкубатор,"
        "oksijen, solunum cihazi, akvaryum, kulucka"
    ),
    stems=(
        "oxygen, oxigen, oksigen, oksygen, ossigen, sauerstoff, zuurstof, syrgas, kyslik,"
        "кислород, кисн, οξυγον, respirator, respirateur, respirador, respiratore, beatmung,"
        "atemgerat, schlafapnoe, beademing, andningsmaskin, cpap, bipap, nebuli,"
        "dialys, dialis, dializ, dijaliz, диализ, medizin, medical, medicin, medisch, medisin,"
        "medyczn, medicament, медицин, медичн, laakinnal, tibbi, defibrill, concentrateur d o,"
        "koncentrator tlenu, aquari, acuari, akvari, akwari, аквариум, акваріум, ενυδρει,"
        "terrari, 酸素, 人工呼吸, 透析, 医療, 水槽, 氧, 呼吸机, 呼吸機, 医疗, 鱼缸,"
        "산소, 호흡기, 투석, 의료, 수족관, ออกซิเจน, أكسجين, חמצן"
    ),
)
"""Words for what the life or health of people or animals depends on."""

FOOD: Final = _word_list(
    words=(
        "fridge, freezer, deep freeze, chiller, ice box, cool box, wine cooler, kuhlbox, frigo,"
        "nevera, heladera, geladeira, frys, kylskap, kyl, fryser, koleskab, kummefryser,"
        "kjoleskap, jaakaappi, pakastin, hutoszekreny, huto, fagyaszto, buzdolabi, dondurucu"
    ),
    stems=(
        "refrigerat, fridge, freezer, kuhlschrank, gefrier, tiefkuhl, kuhltruhe, eisschrank,"
        "refrigerateur, congelat, congelador, frigorif, koelkast, vriezer, diepvries, frysbox,"
        "lodowk, zamrazar, chlodziar, lednic, lednick, mraznic, mrazak, mraznick, холодильник,"
        "морозил, ψυγει, καταψυκτ, 冷蔵, 冷凍, 冰箱, 冰柜, 냉장, 냉동, ตู้เย็น, ثلاجة, מקרר"
    ),
)
"""Words for appliances that keep food cold."""

NETWORK: Final = _word_list(
    words=(
        "network, internet, wifi, wi fi, wlan, lan, ethernet, access point, mesh, repeater, poe,"
        "gateway, hub, bridge, server, nas, ups, home assistant, raspberry pi, zigbee, z wave,"
        "coordinator, fritz box, fritzbox, livebox, freebox, easybox, speedport, unifi, ubiquiti,"
        "netzwerk, usv, reseau, box internet, onduleur, servidor, rete, netwerk, natverk,"
        "netvaerk, nettverk, verkko, siec, сеть, мережа"
    ),
    stems=(
        "router, routeur, ruter, reititin, modem, модем, роутер, маршрутизатор, интернет,"
        "інтернет, сервер, internet, netzwerk, server, serveur, synology, qnap, yonlendirici,"
        "δρομολογητ, ルーター, モデム, 路由器, 调制解调, 공유기, 라우터, 모뎀, เราเตอร์, راوتر, נתב"
    ),
    exceptions=(
        "wifi plug, wi fi plug, wlan steckdose, wifi socket, wi fi socket, wifi outlet,"
        "wifi switch, wi fi switch, prise wifi, enchufe wifi, presa wifi, wifi stekker,"
        "wifi smart plug, wi fi smart plug, zigbee plug, zigbee socket, zigbee steckdose,"
        "zigbee outlet, zigbee switch, prise zigbee, mesh plug, z wave plug,"
        "router table, wood router"
    ),
)
"""Words for the network and servers of the home."""

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

ENTRANCE: Final = replace(
    OPENING, words=OPENING.words - {"garage", "cochera", "garagem", "garaz", "гараж", "port"}
)
"""Words for entrances, without those for a room in which anything may stand."""

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
