"""Sentences in six languages: plain ones, and many that only look plain.

In the second sort, something is missing in the home, a device lacks what it is asked for, or the
sentence asks for several things or for another time. No code may act on them by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Sentences in one language; `{}` is a device."""

    kitchen: str
    """Name of the kitchen light; the home gets it as an alias."""

    hall: str
    """Name of the light in the hallway."""

    garage: str
    """Name of the light in the garage, which can only be on or off."""

    on: str
    off: str
    dim: str
    """Sets a brightness of 30 percent."""

    missing: Sequence[str]
    """Names of devices that the home does not have."""

    beyond: Sequence[str]
    """What a light cannot do; the light in the garage is `{garage}`."""

    more: Sequence[str]
    """More than one plain command; two lights are `{kitchen}` and `{hall}`."""

    @property
    def names(self) -> Mapping[str, str]:
        """Entity id -> its name."""
        return {
            "light.kitchen_light": self.kitchen,
            "light.hallway_light": self.hall,
            "light.garage_light": self.garage,
        }

    def plain(self) -> Iterator[tuple[str, str, str, int | None]]:
        """Yield sentences that need no model, with the entity, its state and its brightness."""
        yield self.dim.format(self.kitchen), "light.kitchen_light", "on", 76
        for entity_id, name in (*self.names.items(),)[:2]:
            yield self.on.format(name), entity_id, "on", None
            yield self.off.format(name), entity_id, "off", None

    def others(self) -> Iterator[str]:
        """Yield sentences that the model has to decide about."""
        for name in self.missing:
            for form in (self.on, self.off, self.dim):
                yield form.format(name)
        known = {"kitchen": self.kitchen, "hall": self.hall, "garage": self.garage}
        yield self.dim.format(self.garage)
        for form in (*self.beyond, *self.more):
            yield form.format(**known)


LANGUAGES: Final[Mapping[str, Language]] = {
    "en": Language(
        kitchen="cooking light",
        hall="corridor light",
        garage="car light",
        on="turn on the {}",
        off="turn off the {}",
        dim="set the {} to 30 percent",
        missing=(
            "sauna",
            "attic light",
            "cooking lights and fan",
            "light in the cellar",
            "cooking lamp",
            "corridor",
            "second corridor light",
            "light cooking",
            "pool pump",
            "everything",
            "other cooking light",
        ),
        beyond=(
            "make the {garage} blue",
            "set the {kitchen} to 22 degrees",
            "open the {kitchen}",
            "lock the {hall}",
            "set the volume of the {hall} to 20",
            "set the {kitchen} to 300 percent",
            "set the {kitchen} to warm and cosy",
            "decrease the {kitchen} 20 percent",
            "increase the brightness of the {kitchen} by 20 percent",
            "turn down the {kitchen} 20 percent",
        ),
        more=(
            "turn on the {kitchen} and the {hall}",
            "turn on the {kitchen}, the {hall}",
            "turn on the {kitchen} or the {hall}",
            "turn on the {kitchen} and turn off the {hall}",
            "turn on the {kitchen} but not the {hall}",
            "turn off everything except the {kitchen}",
            "don't turn on the {kitchen}",
            "turn on the {kitchen} when the dishwasher is done",
            "if it is dark turn on the {kitchen}",
            "turn on the {kitchen} at eight o'clock",
            "turn on the {kitchen} in ten minutes",
            "turn on the {kitchen} for ten minutes",
            "turn on the {kitchen} unless I am away",
            "turn the {kitchen} on and off again",
            "would the {kitchen} turn on",
            "the {kitchen}",
            "{kitchen} on?",
        ),
    ),
    "de": Language(
        kitchen="Kochlicht",
        hall="Ganglicht",
        garage="Autolicht",
        on="schalte {} ein",
        off="schalte {} aus",
        dim="dimme {} auf 30 Prozent",
        missing=(
            "Sauna",
            "Dachbodenlicht",
            "Kochlicht und Lüfter",
            "das Licht im Keller",
            "Kochlampe",
            "Gang",
            "zweites Ganglicht",
            "Licht Koch",
            "Poolpumpe",
            "einfach alles",
            "das andere Kochlicht",
        ),
        beyond=(
            "färbe {garage} blau",
            "stelle {kitchen} auf 22 Grad",
            "öffne {kitchen}",
            "verriegle {hall}",
            "stelle die Lautstärke von {hall} auf 20",
            "stelle {kitchen} auf 300 Prozent",
            "stelle {kitchen} auf gemütlich",
            "erhöhe {kitchen} um 20 Prozent",
            "dimme {kitchen} 20 Prozent",
            "verändere {kitchen} um 20 Prozent",
        ),
        more=(
            "schalte {kitchen} und {hall} ein",
            "schalte {kitchen}, {hall} ein",
            "schalte {kitchen} oder {hall} ein",
            "schalte {kitchen} ein und {hall} aus",
            "schalte {kitchen} ein, aber nicht {hall}",
            "schalte alles außer {kitchen} aus",
            "schalte {kitchen} nicht ein",
            "schalte {kitchen} ein, wenn der Geschirrspüler fertig ist",
            "wenn es dunkel ist, schalte {kitchen} ein",
            "schalte {kitchen} um acht Uhr ein",
            "schalte {kitchen} in zehn Minuten ein",
            "schalte {kitchen} für zehn Minuten ein",
            "schalte {kitchen} ein, außer ich bin weg",
            "schalte {kitchen} ein und wieder aus",
            "würde {kitchen} angehen",
            "das {kitchen}",
            "{kitchen} an?",
        ),
    ),
    "fr": Language(
        kitchen="plafonnier",
        hall="applique",
        garage="néon",
        on="allume {}",
        off="éteins {}",
        dim="règle {} à 30 pour cent",
        missing=(
            "le sauna",
            "la lumière du grenier",
            "plafonnier et ventilateur",
            "la lampe à lave",
            "plafonniers",
            "appliques du fond",
            "la deuxième applique",
            "le vieux plafonnier",
            "la pompe de la piscine",
            "absolument tout",
            "l'autre plafonnier",
        ),
        beyond=(
            "mets {garage} en bleu",
            "règle {kitchen} à 22 degrés",
            "ouvre {kitchen} à moitié",
            "verrouille {hall}",
            "règle le volume de {hall} à 20",
            "règle la luminosité de {kitchen} à 300 pour cent",
            "mets {kitchen} en mode douillet",
            "diminue {kitchen} 20 pour cent",
            "augmente {kitchen} de 20 pour cent",
            "baisse la luminosité de {kitchen} 20 pour cent",
        ),
        more=(
            "allume {kitchen} et {hall}",
            "allume {kitchen}, {hall}",
            "allume {kitchen} ou {hall}",
            "allume {kitchen} et éteins {hall}",
            "allume {kitchen} mais pas {hall}",
            "éteins tout sauf {kitchen}",
            "n'allume pas {kitchen}",
            "allume {kitchen} quand le lave-vaisselle a fini",
            "s'il fait nuit allume {kitchen}",
            "allume {kitchen} à huit heures",
            "allume {kitchen} dans dix minutes",
            "allume {kitchen} pendant dix minutes",
            "allume {kitchen} sauf si je suis absent",
            "allume puis éteins {kitchen}",
            "est-ce que {kitchen} s'allumerait",
            "le {kitchen}",
            "allume {kitchen} ?",
        ),
    ),
    "es": Language(
        kitchen="plafón",
        hall="aplique",
        garage="fluorescente",
        on="enciende {}",
        off="apaga {}",
        dim="pon el brillo de {} al 30 por ciento",
        missing=(
            "la sauna",
            "la luz del desván",
            "plafón y ventilador",
            "la lámpara de lava",
            "plafones",
            "apliques del fondo",
            "el segundo aplique",
            "el viejo plafón",
            "la bomba de la piscina",
            "absolutamente todo",
            "el otro plafón",
        ),
        beyond=(
            "pon {garage} en azul",
            "pon {kitchen} a 22 grados",
            "abre {kitchen}",
            "bloquea {hall}",
            "pon el volumen de {hall} a 20",
            "pon el brillo de {kitchen} al 300 por ciento",
            "pon {kitchen} acogedor",
            "baja el brillo de {kitchen} un 20 por ciento",
            "sube {kitchen} un 20 por ciento",
            "reduce {kitchen} 20 por ciento",
        ),
        more=(
            "enciende {kitchen} y {hall}",
            "enciende {kitchen}, {hall}",
            "enciende {kitchen} o {hall}",
            "enciende {kitchen} y apaga {hall}",
            "enciende {kitchen} pero no {hall}",
            "apaga todo excepto {kitchen}",
            "no enciendas {kitchen}",
            "enciende {kitchen} cuando termine el lavavajillas",
            "si está oscuro enciende {kitchen}",
            "enciende {kitchen} a las ocho",
            "enciende {kitchen} en diez minutos",
            "enciende {kitchen} durante diez minutos",
            "enciende {kitchen} salvo que no esté",
            "enciende y apaga {kitchen}",
            "se encendería {kitchen}",
            "el {kitchen}",
            "¿enciende {kitchen}?",
        ),
    ),
    "it": Language(
        kitchen="plafoniera",
        hall="applique",
        garage="neon",
        on="accendi {}",
        off="spegni {}",
        dim="imposta la luminosità di {} al 30 percento",
        missing=(
            "la sauna",
            "la luce della soffitta",
            "plafoniera e ventilatore",
            "la lampada di lava",
            "plafoniere",
            "applique in fondo",
            "la seconda applique",
            "la vecchia plafoniera",
            "la pompa della piscina",
            "proprio tutto",
            "l'altra plafoniera",
        ),
        beyond=(
            "metti {garage} in blu",
            "imposta {kitchen} a 22 gradi",
            "apri {kitchen}",
            "blocca {hall}",
            "imposta il volume di {hall} a 20",
            "imposta la luminosità di {kitchen} al 300 percento",
            "metti {kitchen} accogliente",
            "abbassa {kitchen} del 20 percento",
            "aumenta la luminosità di {kitchen} del 20 percento",
            "riduci {kitchen} 20 percento",
        ),
        more=(
            "accendi {kitchen} e {hall}",
            "accendi {kitchen}, {hall}",
            "accendi {kitchen} o {hall}",
            "accendi {kitchen} e spegni {hall}",
            "accendi {kitchen} ma non {hall}",
            "spegni tutto tranne {kitchen}",
            "non accendere {kitchen}",
            "accendi {kitchen} quando la lavastoviglie ha finito",
            "se è buio accendi {kitchen}",
            "accendi {kitchen} alle otto",
            "accendi {kitchen} tra dieci minuti",
            "accendi {kitchen} per dieci minuti",
            "accendi {kitchen} a meno che io non sia via",
            "accendi e spegni {kitchen}",
            "si accenderebbe {kitchen}",
            "la {kitchen}",
            "{kitchen} accesa?",
        ),
    ),
    "nl": Language(
        kitchen="kooklicht",
        hall="ganglicht",
        garage="autolicht",
        on="zet {} aan",
        off="zet {} uit",
        dim="zet {} op 30 procent",
        missing=(
            "de sauna",
            "het zolderlicht",
            "kooklicht en ventilator",
            "de lavalamp",
            "kooklampen",
            "gang",
            "het tweede ganglicht",
            "het oude kooklicht",
            "de zwembadpomp",
            "werkelijk alles",
            "het andere kooklicht",
        ),
        beyond=(
            "maak {garage} blauw",
            "zet {kitchen} op 22 graden",
            "open {kitchen}",
            "vergrendel {hall}",
            "zet het volume van {hall} op 20",
            "zet {kitchen} op 300 procent",
            "maak {kitchen} gezellig",
            "verlaag {kitchen} 20 procent",
            "verhoog {kitchen} met 20 procent",
            "verlaag de helderheid van {kitchen} 20 procent",
        ),
        more=(
            "zet {kitchen} en {hall} aan",
            "zet {kitchen}, {hall} aan",
            "zet {kitchen} of {hall} aan",
            "zet {kitchen} aan en {hall} uit",
            "zet {kitchen} aan maar {hall} niet",
            "zet alles behalve {kitchen} uit",
            "zet {kitchen} niet aan",
            "zet {kitchen} aan als de vaatwasser klaar is",
            "als het donker is zet {kitchen} aan",
            "zet {kitchen} om acht uur aan",
            "zet {kitchen} over tien minuten aan",
            "zet {kitchen} tien minuten aan",
            "zet {kitchen} aan tenzij ik weg ben",
            "zet {kitchen} aan en weer uit",
            "zou {kitchen} aangaan",
            "het {kitchen}",
            "{kitchen} aan?",
        ),
    ),
}
