"""A PIN in the words of all languages: at its question, and in the middle of a sentence."""

from functools import partial

import pytest
from homeassistant.core import HomeAssistant
from unicode_rbnf import RbnfEngine

from custom_components.sage.people.confirmation_words import confirmation_words
from custom_components.sage.people.pin import Pin, hash_pin
from custom_components.sage.people.spoken_digits import number_alone, numbers_within
from custom_components.sage.people.spoken_numbers import languages_with_numbers

SAID = (
    ("en", "twelve hundred thirty four", "1234"),
    ("en", "one thousand two hundred and thirty-four", "1234"),
    ("en", "twelve thirty-four", "1234"),
    ("en", "eleven twenty-two", "1122"),
    ("en", "a thousand and one", "1001"),
    ("en", "double four triple seven", "44777"),
    ("en", "twelve thousand three hundred forty-five", "12345"),
    ("en", "It's 12 hundred 34", "1234"),
    ("en", "1 2-3/4", "1234"),
    ("en", "zero zero oh seven", "0007"),
    ("de", "zwölfhundertvierunddreißig", "1234"),
    ("de", "eintausendzweihundertvierunddreißig", "1234"),
    ("de", "tausendzweihundertvierunddreissig", "1234"),
    ("de", "zwölf vierunddreißig", "1234"),
    ("de", "ein zwei drei vier", "1234"),
    ("de", "einszweidreivier", "1234"),
    ("de", "Ja, meine PIN ist eins zwei drei vier, danke!", "1234"),
    ("fr", "mille deux cent trente-quatre", "1234"),
    ("fr", "douze cent trente-quatre", "1234"),
    ("fr", "soixante-dix-sept quatre-vingt-dix-neuf", "7799"),
    ("fr-BE", "septante-sept nonante-neuf", "7799"),
    ("fr", "Oui, mon code est le un deux trois quatre", "1234"),
    ("es", "mil doscientos treinta y cuatro", "1234"),
    ("es", "mi pin es uno dos tres cuatro", "1234"),
    ("it", "milleduecentotrentaquattro", "1234"),
    ("it", "il mio codice è uno due tre quattro", "1234"),
    ("pt", "mil duzentos e trinta e quatro", "1234"),
    ("pt-BR", "meia meia sete oito", "6678"),
    ("nl", "twaalfhonderdvierendertig", "1234"),
    ("nl", "mijn pincode is een twee drie vier", "1234"),
    ("sv", "tolvhundratrettiofyra", "1234"),
    ("sv", "ett två tre fyra", "1234"),
    ("da", "et to tre fire", "1234"),
    ("nb", "ett tusen to hundre og trettifire", "1234"),
    ("fi", "tuhatkaksisataakolmekymmentäneljä", "1234"),
    ("pl", "tysiąc dwieście trzydzieści cztery", "1234"),
    ("pl", "mój kod to jeden dwa trzy cztery", "1234"),
    ("cs", "dvanáct třicet čtyři", "1234"),
    ("hu", "ezerkétszázharmincnégy", "1234"),
    ("ro", "o mie două sute treizeci și patru", "1234"),
    ("ru", "тысяча двести тридцать четыре", "1234"),
    ("uk", "один два три чотири", "1234"),
    ("bg", "хиляда двеста тридесет и четири", "1234"),
    ("el", "χίλια διακόσια τριάντα τέσσερα", "1234"),
    ("tr", "bin iki yüz otuz dört", "1234"),
    ("ar", "ألف ومائتان وأربعة وثلاثون", "1234"),
    ("ar", "أربعة آلاف وسبعمئة وأحد عشر", "4711"),
    ("ar", "ألفين وخمسمائة وعشرين", "2520"),
    ("ar", "سبعة وأربعين أحد عشر", "4711"),
    ("ar", "١٢٣٤", "1234"),
    ("he", "אלף מאתיים שלושים וארבע", "1234"),
    ("fa", "هزار و دویست و سی و چهار", "1234"),
    ("hi", "एक दो तीन चार", "1234"),
    ("hi", "१२३४", "1234"),
    ("th", "หนึ่งสองสามสี่", "1234"),
    ("vi", "một hai ba bốn", "1234"),
    ("vi", "bốn ngàn bảy trăm mười một", "4711"),
    ("ja", "千二百三十四", "1234"),
    ("ja", "いちにさんよん", None),
    ("zh", "一千二百三十四", "1234"),
    ("zh-HK", "四千七百一十一", "4711"),
    ("zh", "幺二三四", "1234"),
    ("ko", "천이백삼십사", "1234"),
    ("ko", "일이삼사", "1234"),
)


@pytest.mark.parametrize(("language", "text", "number"), SAID)
def test_pin_is_understood_at_its_question(language: str, text: str, number: str | None) -> None:
    others = confirmation_words().words_with_pin(language)
    assert number_alone(text, (language,), others) == number
    if number is not None and not others.intersection(text.split()):
        assert number_alone(text, ("sw",), others) is not None


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("1234", "en", "1234"),
        ("1, 2, 3, 4!", "en", "1234"),
        ("12 34", "en", "1234"),
        ("1.234", "de", "1234"),
        ("one two three four", "sv", "1234"),
        ("Oh one two three", "en-GB", "0123"),
        ("Eins zwo drei fünf.", "de-CH", "1235"),
        ("un deux trois quatre", "fr", "1234"),
        ("uno dos tres cuatro", "es", "1234"),
        ("uno due tre quattro", "it", "1234"),
        ("één twee drie vier", "nl", "1234"),
        ("１２３４", "ja", "1234"),
        ("1234 5678", "en", "12345678"),
        ("first 1234 then 9876", "en", None),
        ("yes", "en", None),
        ("", "en", None),
        ("4711", "en", "4711"),
        ("forty seven eleven", "en", "4711"),
        ("double four ninety nine", "en", "4499"),
        ("einundzwanzig dreißig", "de", "2130"),
        ("sechsundsiebzig fünfzehn", "de", "7615"),
        ("vingt et un trente-deux", "fr", "2132"),
        ("soixante et onze quatre-vingt-dix-neuf", "fr", "7199"),
        ("quatre-vingts quatre-vingt-deux", "fr", "8082"),
        ("soixante-seize dix-sept", "fr", "7617"),
        ("cuarenta y siete once", "es", "4711"),
        ("quarantasette undici", "it", "4711"),
        ("zevenenveertig elf", "nl", "4711"),
        ("the number is 12", "en", None),
        ("turn it on", "en", None),
    ],
)
def test_number_alone_is_heard_however_it_is_said(
    text: str, language: str, number: str | None
) -> None:
    assert number_alone(text, (language,)) == number


@pytest.mark.parametrize("language", languages_with_numbers())
def test_pin_is_understood_digit_by_digit_in_every_language(language: str) -> None:
    engine = RbnfEngine.for_language(language)
    spoken = " ".join(engine.format_number(digit).text for digit in (4, 7, 1, 1))
    assert number_alone(spoken, (language,)) == "4711"
    assert number_alone(spoken, ("en",)) == "4711"
    within = partial(numbers_within, shortest=4, longest=8)
    assert "4711" in within(f"{spoken}", (language,))
    assert "4711" in within(f"unlock it, {spoken}, please", ("en",))


@pytest.mark.parametrize(
    "text", ["one two three but not four", "no 1234", "uno dos tres quizás", "a hundred lamps", "-"]
)
def test_number_with_other_words_is_none(text: str) -> None:
    others = confirmation_words().words_with_pin("en", "es")
    assert number_alone(text, ("en", "es"), others) is None


FIRST = (
    ("en", "unlock the door, my pin is one two three four"),
    ("en", "unlock the door, it's twelve thirty-four"),
    ("en", "open up with twelve hundred thirty four please"),
    ("en", "one thousand two hundred and thirty four unlock the door"),
    ("en", "unlock, pin 1 two 3 four"),
    ("en", "unlock the door mit zwölfhundertvierunddreißig eins zwei drei vier"),
    ("de", "Schließ auf, meine PIN ist eins zwei drei vier"),
    ("de", "Schließ auf, zwölfhundertvierunddreißig"),
    ("de", "öffne mit tausendzweihundertvierunddreißig die Tür"),
    ("fr", "ouvre la porte, mon code est mille deux cent trente-quatre"),
    ("fr", "ouvre, un deux trois quatre"),
    ("es", "abre la puerta, mi pin es uno dos tres cuatro"),
    ("es", "abre con mil doscientos treinta y cuatro"),
    ("it", "apri la porta, il codice è milleduecentotrentaquattro"),
    ("nl", "open de deur, een twee drie vier"),
    ("pl", "otwórz drzwi, jeden dwa trzy cztery"),
    ("ru", "открой дверь, один два три четыре"),
    ("sv", "lås upp, ett två tre fyra"),
    ("fi", "avaa ovi, yksi kaksi kolme neljä"),
    ("ja", "ドアを開けて、暗証番号は一二三四です"),
    ("zh", "开门密码是一千二百三十四"),
    ("ar", "افتح الباب ١٢٣٤"),
    ("ar", "افتح الباب ألف ومئتين وأربعة وثلاثين"),
    ("hi", "दरवाज़ा खोलो, एक दो तीन चार"),
    ("en", "otwórz drzwi, jeden dwa trzy cztery"),
)


@pytest.fixture(scope="module")
def pin_hash() -> str:
    """A household with the PIN 1234."""
    return hash_pin("1234")


@pytest.mark.parametrize(("language", "text"), FIRST)
async def test_pin_in_a_sentence_is_taken_out(
    hass: HomeAssistant, pin_hash: str, language: str, text: str
) -> None:
    redaction = Pin(hass, pin_hash)
    kept = await redaction.async_redact(text, language, "hall", expected=False)
    assert "[PIN]" in kept
    assert not {"two", "zwei", "deux", "dos", "dwa", "два", "二", "दो"}.intersection(kept.split())


ORDINARY = (
    ("en", "set it to twenty two degrees"),
    ("en", "turn it on at seven and off at eleven"),
    ("en", "one or two lamps, no more"),
    ("en", "I am on my way to do it"),
    ("de", "ich bin in zwei bis drei Stunden da"),
    ("de", "stell die Heizung auf zweiundzwanzig Grad und das Licht auf fünfzig Prozent"),
    ("fr", "mets dix minutes et baisse à vingt pour cent"),
    ("es", "sube la persiana un cincuenta por ciento"),
    ("it", "ne ho uno o due"),
    ("ja", "一番明るくして、二階の電気も"),
    ("zh", "把一楼的灯开一半"),
)


@pytest.mark.parametrize(("language", "text"), ORDINARY)
async def test_ordinary_numbers_are_kept_and_are_no_tries(
    hass: HomeAssistant, pin_hash: str, language: str, text: str
) -> None:
    redaction = Pin(hass, pin_hash, tries=1)
    assert await redaction.async_redact(text, language, "hall", expected=False) == text
    assert not redaction.locked("hall")
