"""Check digits of cards, bank accounts and national ids, by the published rules of each.

A right check digit does not prove that a number is an id: it says that it may be one.
"""

from collections.abc import Sequence

# Issuer ranges and lengths after ISO/IEC 7812 as published by the networks.
_CARD_LENGTHS = {
    "34": (15,),
    "37": (15,),
    "4": (13, 16, 19),
    "62": (16, 17, 18, 19),
    "35": (16,),
    "30": (14,),
    "36": (14,),
}
_MASTERCARD = (range(51, 56), range(2221, 2721))
_CHINESE_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_VERHOEFF_PRODUCT = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
_VERHOEFF_TURN = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip


def is_card(digits: str) -> bool:
    """A card number: an issuer's range and length, and Luhn."""
    return _has_issuer(digits) and luhn(digits)


def may_be_card(digits: str) -> bool:
    """The length of a card number, and Luhn: issuers of one country alone have ranges of their own."""
    return 13 <= len(digits) <= 19 and len(set(digits)) > 1 and luhn(digits)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    doubled = [int(digit) * 2 for digit in digits[-2::-2]]
    return (sum(map(int, digits[-1::-2])) + sum(each - 9 if each > 9 else each for each in doubled)) % 10 == 0


def is_iban(code: str) -> bool:
    """ISO 13616: the first four characters moved behind, letters as 10 to 35, the whole 1 modulo 97."""
    if not 15 <= len(code) <= 34 or not code[:2].isalpha() or not code[2:4].isdigit() or not code.isalnum():
        return False
    return int("".join(str(int(character, 36)) for character in code[4:] + code[:4])) % 97 == 1


def is_cpf(digits: str) -> bool:
    """Brazil: eleven digits, the last two modulo 11."""
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    numbers = list(map(int, digits))
    return all(numbers[length] == _modulo_11(numbers[:length]) for length in (9, 10))


def is_chinese_id(code: str) -> bool:
    """China: GB 11643, eighteen characters, ISO 7064 MOD 11-2."""
    if len(code) != 18 or not code[:17].isdigit():
        return False
    total = sum(weight * int(digit) for weight, digit in zip(_CHINESE_WEIGHTS, code, strict=False))
    return "10X98765432"[total % 11] == code[17].upper()


def is_aadhaar(digits: str) -> bool:
    """India: twelve digits, not beginning with 0 or 1, Verhoeff."""
    if len(digits) != 12 or digits[0] in "01":
        return False
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(_VERHOEFF_PRODUCT[check][int(_VERHOEFF_TURN[place % 8][int(digit)])])
    return check == 0


def is_nir(code: str) -> bool:
    """France: thirteen digits and a key of 97 minus their remainder; in Corsica 2A counts as 19, 2B as 18."""
    if len(code) != 15 or code[0] not in "12":
        return False
    number = code[:13].upper().replace("2A", "19").replace("2B", "18")
    return number.isdigit() and code[13:].isdigit() and int(code[13:]) == 97 - int(number) % 97


def is_spanish_id(code: str) -> bool:
    """Spain: DNI and NIE, a letter by the remainder of 23."""
    number = code[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == code[-1].upper()


def is_snils(digits: str) -> bool:
    """Russia: nine digits weighted 9 to 1, the last two their sum modulo 101 (100 counts as 0)."""
    if len(digits) != 11:
        return False
    total = sum(weight * int(digit) for weight, digit in zip(range(9, 0, -1), digits, strict=False))
    return total % 101 % 100 == int(digits[9:])


def is_iranian_id(digits: str) -> bool:
    """Iran: ten digits, the last modulo 11 of the others weighted 10 to 2."""
    if len(digits) != 10 or len(set(digits)) == 1:
        return False
    rest = sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), digits, strict=False)) % 11
    return int(digits[9]) == (rest if rest < 2 else 11 - rest)


def _has_issuer(digits: str) -> bool:
    if len(digits) == 16 and any(int(digits[: len(str(span.start))]) in span for span in _MASTERCARD):
        return True
    if len(digits) == 16 and digits.startswith(("6011", "65", "2200", "2201", "2202", "2203", "2204", "50", "63")):
        return True
    return any(digits.startswith(prefix) and len(digits) in lengths for prefix, lengths in _CARD_LENGTHS.items())


def _modulo_11(numbers: Sequence[int]) -> int:
    rest = sum(weight * number for weight, number in zip(range(len(numbers) + 1, 1, -1), numbers, strict=True)) % 11
    return 0 if rest < 2 else 11 - rest
