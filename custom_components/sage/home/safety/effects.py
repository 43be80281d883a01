"""What an action reaches, and how risky that is."""

from dataclasses import dataclass, field

from ..home_types import RiskClass
from .risk import worst_of


@dataclass(slots=True)
class Effects:
    """What an action reaches, directly and through what it sets off."""

    entities: set[str] = field(default_factory=set)
    """Ids of the entities it acts on, members of groups and scenes included."""

    risks: dict[RiskClass, set[str]] = field(default_factory=dict)
    """Risk class -> ids of the entities for which it holds."""

    unresolved: list[str] = field(default_factory=list)
    """What could not be found out, in words."""

    unclassified: set[str] = field(default_factory=set)
    """Ids of the entities that only a classification could tell apart, and that have none."""

    @property
    def risk(self) -> RiskClass | None:
        """The worst risk class; None when nothing risky is reached."""
        return worst_of((*self.risks, RiskClass.UNRESOLVED if self.unresolved else None))

    @property
    def at_risk(self) -> frozenset[str]:
        """The entities for which the worst risk class holds."""
        return frozenset(self.risks.get(self.risk, ())) if self.risk else frozenset()

    def is_covered_by(self, agreed: Effects | None) -> bool:
        """Return whether the person agreed to every risk here."""
        if self.risk is None:
            return True
        if agreed is None or not set(self.unresolved) <= set(agreed.unresolved):
            return False
        if RiskClass.NEVER in self.risks:
            return False
        # Who agreed to a thing that nobody could tell apart agreed to whatever it is.
        unknown = agreed.risks.get(RiskClass.UNRESOLVED, set())
        return all(
            (risk in agreed.risks or bool(entities))
            and entities <= agreed.risks.get(risk, set()) | unknown
            for risk, entities in self.risks.items()
        )

    def add(self, entity_id: str, risk: RiskClass | None) -> None:
        """Note that an entity is acted on."""
        self.entities.add(entity_id)
        if risk is not None:
            self.risks.setdefault(risk, set()).add(entity_id)
