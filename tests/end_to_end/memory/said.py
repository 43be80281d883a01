"""What is said in the stories about the memory tool, in two languages."""

from benchmark.model_script import Answer
from tests.decisions import NATIVE, Decides

NOTHING_CHANGED = {"en": "I have not changed anything.", "de": "Ich habe nichts geändert."}
MOTHER = {"en": "my mother lives in Quebec", "de": "meine Mutter wohnt in Quebec"}
HOCKEY = {"en": "I like ice hockey a lot", "de": "ich mag Eishockey sehr"}
TOPIC = {"en": "ice hockey", "de": "Eishockey"}
TEA = {"en": "I drink tea in the morning", "de": "ich trinke morgens Tee"}
REMEMBER = {"en": f"remember that {MOTHER['en']}", "de": f"merk dir, dass {MOTHER['de']}"}
FORGET = {"en": "forget that I like ice hockey a lot", "de": "vergiss, dass ich Eishockey sehr mag"}
DONE = {"en": "That is forgotten for good.", "de": "Das habe ich endgültig vergessen."}
NOTED = {"en": "All right, I will remember that.", "de": "In Ordnung, ich merke mir das."}
QUESTION = {
    "en": 'Shall I forget this: "I like ice hockey a lot"?',
    "de": 'Soll ich das hier vergessen: "ich mag Eishockey sehr"?',
}


def forgets(topic: str, *after: Answer, decides: Decides = NATIVE) -> tuple[Answer, ...]:
    """Return the decision to forget a topic, and what the model decides then."""
    return (decides.call("memory", action="forget", text=topic), *after)
