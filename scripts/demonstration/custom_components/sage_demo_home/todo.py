"""The shopping list."""

from dataclasses import replace
from uuid import uuid4

from homeassistant.components.todo import TodoItem, TodoItemStatus, TodoListEntity

from .model import Appliance, Thing
from .thing import DemoThing, platform_of


class DemoList(DemoThing, TodoListEntity):
    """A to-do list."""

    def __init__(self, appliance: Appliance, thing: Thing) -> None:
        super().__init__(appliance, thing)
        self._attr_todo_items = [
            TodoItem(summary=entry, uid=entry.lower(), status=TodoItemStatus.NEEDS_ACTION)
            for entry in thing.start["entries"]
        ]

    async def async_create_todo_item(self, item: TodoItem) -> None:
        new = replace(item, uid=uuid4().hex)
        self.become(todo_items=[*self._items, new])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self.become(todo_items=[item if one.uid == item.uid else one for one in self._items])

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self.become(todo_items=[item for item in self._items if item.uid not in uids])

    @property
    def _items(self) -> list[TodoItem]:
        return self.todo_items or []


async_setup_entry = platform_of("todo", DemoList)
