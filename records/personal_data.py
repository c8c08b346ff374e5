"""What libraries know of personal data beside the rules of `guardrails`: more national ids, and national phone numbers.

The ids are those of countries whose visitors the ten languages serve. Ids of firms are no personal data.
"""

from functools import lru_cache, partial

import phonenumbers
from phonenumbers import NumberParseException
from stdnum.ar import cuit
from stdnum.at import vnr
from stdnum.be import nn
from stdnum.ca import sin
from stdnum.ch import ssn as ahv
from stdnum.cl import rut
from stdnum.cn import ric
from stdnum.de import idnr
from stdnum.gb import nhs
from stdnum.in_ import pan
from stdnum.mx import curp, rfc
from stdnum.pt import cc, nif
from stdnum.ru import inn

from guardrails.national_ids import national_id
from guardrails.personal_data import Validators

# Where digits have punctuation of their own, that form speaks for itself; the others must be announced.
NATIONAL_IDS = (
    national_id("ar", r"(?:20|23|24|27)-\d{8}-\d", r"(?:20|23|24|27)\d{9}", cuit.is_valid),
    national_id("at", None, r"\d{10}", vnr.is_valid),
    national_id("be", r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", r"\d{11}", nn.is_valid),
    national_id("ca", r"\d{3}-\d{3}-\d{3}", r"\d{9}", sin.is_valid),
    national_id("ch", r"756\.\d{4}\.\d{4}\.\d\d", r"756\d{10}", ahv.is_valid),
    national_id("cl", r"\d{1,2}\.\d{3}\.\d{3}-[\dKk]", r"\d{7,8}[\dKk]", rut.is_valid),
    national_id("cn", None, r"\d{17}[\dXx]", ric.is_valid),
    national_id("de", None, r"\d{11}", idnr.is_valid),
    national_id("gb", None, r"\d{10}", nhs.is_valid),
    national_id("in", r"[A-Z]{3}P[A-Z]\d{4}[A-Z]", r"[A-Za-z]{3}[Pp][A-Za-z]\d{4}[A-Za-z]", pan.is_valid),
    national_id("mx", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d", None, curp.is_valid),
    national_id("mx", r"[A-ZÑ&]{4}\d{6}[A-Z0-9]{2}[A0-9]", None, partial(rfc.is_valid, validate_check_digits=True)),
    national_id("pt", r"\d{8} \d [A-Z0-9]{2}\d", r"\d{9}[A-Z0-9]{2}\d", cc.is_valid),
    national_id("pt", None, r"[123]\d{8}", nif.is_valid),
    national_id("ru", None, r"\d{12}", inn.is_valid),
)

# How people there write a number without its trunk prefix, by the digits in each group; what has a prefix, or is
# written as +49 30 …, is a phone by its form already.
_GROUPS: dict[tuple[int, ...], tuple[str, ...]] = {
    (2, 3, 2, 2): ("ES", "CH"),
    (3, 2, 2, 2): ("ES",),
    (2, 4, 4): ("BR", "MX", "IN", "CN", "AR", "EG"),
    (2, 3, 4): ("PT", "SA", "AE"),
    (1, 4, 4): ("CL",),
    (3, 3, 2, 2): ("RU",),
    (3, 7): ("IN", "CO"),
    (3, 8): ("CN",),
    (3, 4, 4): ("BR", "CN"),
}


@lru_cache(maxsize=1024)
def is_phone(written: str) -> bool:
    """Whether it is grouped as in some country of the ten languages, and in that country's numbering plan."""
    digits = "".join(character if character.isdecimal() else " " for character in written).split()
    return any(_is_in_plan(written, region) for region in _GROUPS.get(tuple(map(len, digits)), ()))


def _is_in_plan(written: str, region: str) -> bool:
    try:
        number = phonenumbers.parse(written, region)
    except NumberParseException:
        return False
    return phonenumbers.is_valid_number_for_region(number, region)


VALIDATORS = Validators(NATIONAL_IDS, is_phone)
