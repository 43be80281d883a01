"""Sources outside the home: mail, contacts, calendars, weather, TV guides. All untrusted."""

from .address_book import books_of
from .bounded import ExternalError
from .calendars import Calendar, NewEvent, for_new_event
from .external import External
from .guide_file import GuideQuery
from .mail_account import PROVIDERS, MailAccount, Security
from .mailbox import Folder, Mailbox
from .outgoing_mail import Letter
from .place_weather import PlaceWeather
from .times import time_span
from .tv_guide import TvGuide, async_open_guide
