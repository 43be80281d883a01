"""The paper's baseline One Prompt: one call with all states returns the new ones and an answer."""

from custom_components.sage.agent.record import Record

from .baseline import NEW_STATES, Baseline, NoReplyError, as_text, guide_text
from .home import PaperHome
from .methods import Reply, Utterance


class OnePromptMethod(Baseline):
    """Command, states and TV guide in; changed states and an answer out."""

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Return the answer, after the changed states were sent as commands."""
        record = Record("one-prompt")
        states = await self._async_states(home)
        parts = {
            "Device states": as_text({each.id: each.as_json() for each in states}),
            "TV guide": guide_text(),
            "Command": said.text,
        }
        try:
            reply = await self._async_ask(record, "one_prompt", NEW_STATES, parts)
        except NoReplyError:
            self._note(said.text, "", "no_reply", record)
            return Reply(text="")
        await self._async_apply(home, record, states, reply["changes"])
        self._note(said.text, reply["answer"], "answered", record)
        return Reply(text=reply["answer"])
