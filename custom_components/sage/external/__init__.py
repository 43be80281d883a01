"""Sources outside the home: mail, contacts, calendars, weather and TV guides.

Their texts are untrusted.
"""

from .address_book import AddressBooks, Contact, books_of
from .bounded import ExternalError
from .calendars import Agenda, Calendar, CalendarEntry, end_of, event_fields, start_of
from .external import External
from .guide_file import GuideQuery, Showing
from .mail_account import PROVIDERS, MailAccount, Security, SignInRefusedError
from .mailbox import Folder, Mail, Mailbox, MailQuery
from .message import MailBody
from .outgoing_mail import Letter, write_letter
from .place_weather import Place, PlaceWeather
from .tv_guide import TvGuide, async_open_guide
