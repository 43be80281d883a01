"""The words and sentence forms of training: how people may name devices, furniture and rooms.

The descriptions that the benchmark asks for are written by hand in other forms, in
`descriptions`; no sentence of theirs may come from here.
"""

from typing import Final

DEVICE_NOUNS: Final[dict[str, tuple[str, ...]]] = {
    "light": ("light", "lamp", "light", "lamp", "lights"),
    "TV": ("TV", "television", "screen", "telly"),
    "fan": ("fan", "ventilator"),
    "speaker": ("speaker", "loudspeaker", "music speaker"),
    "blind": ("blind", "window blind", "shade", "blinds"),
    "plug": ("plug", "socket", "outlet", "smart plug"),
}

FORM_NOUNS: Final[dict[str, tuple[str, ...]]] = {
    "table lamp": ("table lamp", "small lamp", "little lamp"),
    "floor lamp": ("floor lamp", "standing lamp", "tall lamp", "reading lamp"),
    "pendant lamp": ("hanging lamp", "ceiling lamp", "hanging light", "ceiling light"),
    "wall lamp": ("wall lamp", "wall light", "lamp on the wall"),
}

FURNITURE_NOUNS: Final[dict[str, tuple[str, ...]]] = {
    "bed": ("bed", "bed", "big bed", "pillow", "bedside"),
    "nightstand": ("nightstand", "bedside table", "night table", "drawers"),
    "wardrobe": ("wardrobe", "closet", "cupboard for clothes", "clothes"),
    "fireplace": ("fireplace", "fire", "chimney", "hearth", "flames", "stone fireplace"),
    "dining table": ("dining table", "table", "dinner table", "table with chairs", "chairs"),
    "credenza": ("credenza", "sideboard", "long cabinet", "low cabinet", "oak credenza"),
    "plant": ("plant", "potted plant", "houseplant", "green plant", "big plant", "leaves"),
    "sofa": ("sofa", "couch", "settee"),
    "armchair": ("armchair", "easy chair", "reading chair", "comfortable chair"),
    "bookshelf": ("bookshelf", "bookcase", "books", "shelf with books", "shelf of books"),
    "desk": ("desk", "computer", "monitor", "writing desk", "computer desk"),
    "stove": ("stove", "cooker", "oven", "pan", "hob"),
    "fridge": ("fridge", "refrigerator", "freezer"),
    "kitchen sink": ("kitchen sink", "sink", "kitchen counter", "dishes", "dirty dishes"),
    "washing machine": ("washing machine", "washer"),
    "bathtub": ("bathtub", "bath", "tub"),
    "washbasin": ("washbasin", "mirror", "basin", "bathroom mirror", "round mirror"),
    "toilet": ("toilet", "loo"),
    "coat rack": ("coat rack", "coats", "jackets", "coat stand", "hanging coats"),
    "front door": ("front door", "door", "entrance", "entry door"),
    "shoe rack": ("shoe rack", "shoes", "row of shoes", "boots"),
    "teddy bear": ("teddy bear", "teddy", "toy bear", "toy"),
    "crib": ("crib", "cot", "baby bed", "baby's crib"),
    "car": ("car", "parked car", "vehicle"),
    "workbench": ("workbench", "tools", "hammer and saw", "tool wall", "bench with tools"),
    "bicycle": ("bicycle", "bike", "cycle"),
    "ladder": ("ladder", "steep ladder"),
    "boxes": ("boxes", "cardboard boxes", "pile of boxes", "moving boxes", "cartons"),
    "suitcase": ("suitcase", "luggage", "travel bag", "trunk"),
    "ironing board": ("ironing board", "iron", "ironing"),
    "laundry basket": ("laundry basket", "basket", "dirty clothes", "basket of clothes"),
    "piano": ("piano", "keyboard", "upright piano"),
    "aquarium": ("aquarium", "fish tank", "fish", "goldfish"),
    "painting": ("painting", "picture", "framed picture", "landscape picture"),
    "grandfather clock": ("grandfather clock", "clock", "old clock", "tall clock", "pendulum"),
    "globe": ("globe", "world globe", "earth globe"),
    "patio table": ("parasol", "patio table", "garden table", "umbrella", "sun umbrella"),
    "barbecue": ("barbecue", "grill", "charcoal grill"),
    "stairs": ("stairs", "staircase", "steps"),
    "guitar": ("guitar", "acoustic guitar"),
}

DOINGS: Final[dict[str, tuple[str, ...]]] = {
    "bed": ("sleep", "go to bed", "lie down at night", "wake up"),
    "wardrobe": ("get dressed", "keep my clothes", "hang my shirts"),
    "fireplace": ("burn wood", "get warm by the fire"),
    "dining table": ("eat", "have dinner", "have breakfast", "eat together"),
    "sofa": ("relax on the couch", "sit together"),
    "armchair": ("sit and read", "sit alone"),
    "bookshelf": ("keep the books", "look for a book"),
    "desk": ("work", "type", "work on the computer", "do my homework"),
    "stove": ("cook", "fry eggs", "make dinner", "bake"),
    "fridge": ("keep the milk", "keep food cold"),
    "kitchen sink": ("wash the dishes", "do the dishes"),
    "washing machine": ("wash clothes", "do the laundry"),
    "bathtub": ("take a bath", "bathe"),
    "washbasin": ("brush my teeth", "shave", "wash my hands"),
    "coat rack": ("hang my coat", "hang the jackets"),
    "front door": ("come in", "enter the house", "leave the house"),
    "shoe rack": ("take off my shoes", "put my shoes"),
    "teddy bear": ("play with toys", "play"),
    "crib": ("put the baby to sleep", "lay the baby"),
    "car": ("park the car", "park"),
    "workbench": ("repair things", "fix things", "keep the tools"),
    "bicycle": ("park my bike", "keep the bike"),
    "boxes": ("keep old things", "store boxes"),
    "suitcase": ("pack for travel", "keep the luggage"),
    "ironing board": ("iron shirts", "iron"),
    "laundry basket": ("throw dirty clothes", "collect the laundry"),
    "piano": ("play the piano",),
    "aquarium": ("feed the fish", "watch the fish"),
    "patio table": ("sit outside in the shade",),
    "barbecue": ("grill", "grill meat", "grill sausages"),
    "stairs": ("go upstairs", "walk up"),
    "guitar": ("play the guitar", "make music"),
}
"""What people do at a piece of furniture: "where I sleep"."""

ROOMS: Final[dict[str, tuple[str, ...]]] = {
    "bedroom": ("bed", "nightstand", "wardrobe", "grandfather clock", "painting", "suitcase"),
    "living room": ("fireplace", "sofa", "armchair", "plant", "aquarium", "painting", "credenza"),
    "dining room": ("dining table", "painting", "plant", "credenza", "fridge"),
    "office": ("credenza", "desk", "plant", "bookshelf", "globe"),
    "study": ("desk", "globe", "bookshelf", "painting"),
    "library": ("bookshelf", "armchair", "globe", "grandfather clock", "credenza"),
    "kitchen": ("fridge", "stove", "kitchen sink", "dining table"),
    "hall": ("front door", "coat rack", "shoe rack", "stairs", "bicycle"),
    "child's room": ("crib", "teddy bear", "wardrobe", "boxes"),
    "bathroom": ("bathtub", "washbasin", "toilet", "washing machine"),
    "terrace": ("patio table", "barbecue", "plant"),
    "garage": ("car", "workbench", "bicycle", "ladder"),
    "attic": ("boxes", "ladder", "suitcase", "teddy bear"),
    "laundry room": ("washing machine", "laundry basket", "ironing board", "kitchen sink"),
    "music room": ("piano", "guitar", "armchair", "bookshelf"),
}
"""Typical furniture of each kind of room."""

ROOM_NOUNS: Final[dict[str, tuple[str, ...]]] = {
    "hall": ("hall", "hallway", "corridor"),
    "child's room": ("child's room", "nursery", "kids room", "children's room"),
    "terrace": ("terrace", "patio", "balcony", "garden"),
    "laundry room": ("laundry room", "laundry"),
    "living room": ("living room", "lounge"),
}

ARTICLES: Final = ("the", "the", "the", "my", "our", "a", "that")
NEAR: Final = (
    *("by", "next to", "beside", "near", "close to", "at", "with", "around", "not far from"),
    *("in front of", "to the left of", "to the right of", "behind", "right by", "alongside"),
)
ON: Final = ("on", "on top of", "standing on", "sitting on", "that stands on")
OVER: Final = ("over", "above", "hanging over", "hanging above", "on the wall above", "higher than")

FORMS: Final = (
    "{device} {place}",
    "{device} {place}",
    "the {device} {place}",
    "the {device} {place}",
    "the {colour} {device} {place}",
    "{colour} {device} {place}",
    "{device} {place} and {thing}",
    "the {device} {place}, {near} {thing}",
    "the {device} {place} in the {room}",
    "the {device} between {nearest} and {thing}",
    "the {bare} {device}",
    "{device} of {nearest}",
    "the {device} where {who} {doing}",
    "the {device} {near} the place where {who} {doing}",
    "the {device} for the {bare}",
    "the one {place}",
    "{place}",
    "{nearest}",
    "{nearest} and {thing}",
    "{room} {device}",
    "the {device} in the {room}, {place}",
    "{device} that {who} see {near} {nearest}",
    "{device}: {nearest}, {thing}",
    "there is {nearest} {near} the {device}",
    "you find the {device} {place}",
    "it is {place}, the {device}",
    "{who} mean the {device} {place}",
    "the {device} with {nearest} and {thing} around it",
    "where {who} {doing}",
    "the {device} {who} use when {who} {doing}",
)
"""Forms that need a fact which a photo does not have are not used for it."""

PREFIXES: Final = ("", "", "", "", "", "a photo of ", "a picture of ", "a photo of a room with ")
WHO: Final = ("I", "we", "you", "people", "the kids", "one")
