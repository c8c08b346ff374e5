"""What is found as personal data, and what is left alone: forms, check digits and the words beside a number."""

import random

import pytest

from guardrails.check_digits import is_card, is_cpf
from guardrails.national_ids import national_id
from guardrails.personal_data import Validators, find, key

PERSONAL = {
    "529.982.247-25": "national_id", "11010519491231002X": "national_id", "12345678Z": "national_id",
    "2 55 08 14 168 025 38": "national_id", "255081416802538": "national_id", "AB 12 34 56 C": "national_id",
    "AB123456C": "national_id", "078-05-1120": "national_id", "112-233-445 95": "national_id",
    "001-234567-9": "national_id",
    "2341 2341 2346": "national_id", "4111 1111 1111 1111": "card", "۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱": "card",
    "4111111111111111": "card", "3782 822463 10005": "card", "6037 9911 2345 6786": "card",
    "DE89 3704 0044 0532 0130 00": "iban", "GB82WEST12345698765432": "iban", "+49 30 1234567": "phone",
    "030 1234567": "phone",
    "(11) 91234-5678": "phone", "(555) 123-4567": "phone", "13812345678": "phone", "+98 912 345 6789": "phone",
    "٠٩١٢٣٤٥٦٧٨٩": "phone", "98765 43210": "phone", "8 (912) 345-67-89": "phone", "a.b+c@mail.example.org": "email",
    "𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏": "card", "٠٩١٢\u200c٣٤٥\u200c٦٧٨٩": "phone", "a.b＠mail.example.org": "email",
    "(415)555-2671": "phone", "030 / 123 45 67": "phone", "X-1234567-L": "national_id",
    "o'neil@mail.example.org": "email", "a@b.xn--p1ai": "email", "имя@пример.рф": "email",
}  # fmt: skip
HARMLESS = [
    "529.982.247-26", "4111 1111 1111 1112", "DE89 3704 0044 0532 0130 01", "1,200,300", "12 400 000", "2019–2021",
    "2021-03-05", "2021-03-05 14", "212 345 678", "912.345.678", "0000123456", "INV-0301234567",
    "123e4567-e89b-12d3-a456-026614174000", "192.168.100.200", "52.5200066", "52998224725", "12345678903",
    "node@20.11.1", "logo@2x.png", "@livia.example",
    "version 2.10.1", "ISBN 978-3-16-148410-0", "order 20190315", "3.14159265", "10.1000/182", "1234567",
]  # fmt: skip
# Bare digits that check, as each language announces them.
ANNOUNCED = [
    ("My CPF is 52998224725.", "national_id"), ("O CPF dela é 52998224725.", "national_id"),
    ("Su NIE es x1234567l.", "national_id"), ("Son numéro de sécurité sociale : 255081416802538.", "national_id"),
    ("Её СНИЛС 11223344595.", "national_id"), ("کد ملی او ۰۰۱۲۳۴۵۶۷۹ است.", "national_id"),
    ("उनका आधार नंबर 234123412346 है।", "national_id"), ("他的身份证号码是11010519491231002X。", "national_id"),
    ("52998224725 is her tax number.", "national_id"), ("Social security number 078051120.", "national_id"),
    ("Die Kreditkartennummer ist 36227206271667.", "card"), ("卡号6037991123456786。", "card"),
    ("رقم بطاقتها 4111111111111111.", "card"), ("Звоните: 4951234567.", "phone"), ("هاتفه ٢٠٢٥٥٥٠١٢٣.", "phone"),
    ("Ihre Handynummer lautet 1711234567.", "phone"), ("Appelez le 142345678.", "phone"),
]  # fmt: skip
OF_THINGS = [
    "Order 4111111111111111 was sent.", "Bestellung Nr. 4111111111111111 ging ab.", "Pedido 030 1234567 enviado.",
    "Заказ № 4111111111111111 отправлен.", "订单4111111111111111已发货。", "سفارش ۴۱۱۱۱۱۱۱۱۱۱۱۱۱۱۱ رسید.",
    "फ़ाइल ऑर्डर 4111111111111111 भेजा गया।", "رقم الطلب 4111111111111111 وصل.", "Commande 0142345678 livrée.",
    "La factura 612 345 678 llegó.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), PERSONAL.items())
def test_personal_data_is_found_where_it_stands(text, kind):
    found = find(f"See {text} for the whole of it.")
    assert [(each.kind, each.start, each.end) for each in found] == [(kind, 4, 4 + len(text))]


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_numbers_are_not_personal(text):
    assert find(f"See {text} for the whole of it.") == []


@pytest.mark.parametrize(("text", "kind"), ANNOUNCED)
def test_bare_digits_count_where_words_announce_them(text, kind):
    assert [each.kind for each in find(text)] == [kind]


@pytest.mark.parametrize("text", OF_THINGS)
def test_the_number_of_a_thing_is_not_personal(text):
    assert find(text) == []


def test_what_is_grouped_as_on_a_card_is_one_whatever_it_is_called():
    assert [each.kind for each in find("Order 4111 1111 1111 1111 was sent.")] == ["card"]


def test_the_nearest_word_decides():
    assert find("The card was lost, see order 4111111111111111.") == []
    assert find("For the order she gave her card 4111111111111111.")


def test_what_follows_a_card_does_not_hide_it():
    text = "Pay with 4111 1111 1111 1111 12/27 today."
    assert [(each.kind, text[each.start : each.end]) for each in find(text)] == [("card", "4111 1111 1111 1111")]


def test_right_check_digits_by_chance_do_not_make_a_bare_number_personal():
    """1,000 numbers that check, in sentences that say nothing of ids or cards."""
    chance = random.Random(7)
    checked = (str(number) for number in iter(lambda: chance.randrange(2 * 10**10, 9 * 10**10), None))
    bare = (number for number in checked if is_cpf(number) and not number.startswith(("8", "9")))
    assert [number for _, number in zip(range(1000), bare, strict=False) if find(f"It took {number} cycles.")] == []


def test_validators_add_ids_and_national_phones():
    pass_number = national_id("xx", r"P\d{8}", r"\d{8}", lambda code: code.endswith("7"))
    more = Validators((pass_number,), is_phone=lambda written: written == "91 123 45 67")
    assert [each.kind for each in find("See P12345677.", more)] == ["national_id"]
    assert find("See P12345678.", more) == find("See P12345677.") == []
    assert [each.kind for each in find("See 91 123 45 67.", more)] == ["phone"]
    assert find("See 91 123 45 67.") == find("See 911234567.", more) == []
    assert [each.kind for each in find("Her passport: 12345677.", more)] == ["national_id"]


def test_a_value_has_one_key_however_it_is_written():
    assert key("+49 (30) 123-45 67") == key("＋۴۹ ۳۰ ۱۲۳۴۵۶۷") == "49301234567"
    assert key(" A@B.org") == key("a＠b.org")


def test_cards_of_a_chance_luhn_are_few():
    """Sixteen digits with an issuer's range and Luhn are a card's own form: of random ones, one in forty."""
    chance = random.Random(3)
    assert sum(is_card(str(chance.randrange(10**15, 10**16))) for _ in range(4000)) < 4000 / 30
