import pytest

from guardrails import check_digits as digits


@pytest.mark.parametrize(
    ("check", "right"),
    [
        (digits.is_card, "4111111111111111"), (digits.is_card, "5555555555554444"), (digits.is_card,
        "378282246310005"),
        (digits.is_iban, "GB82WEST12345698765432"), (digits.is_cpf, "52998224725"), (digits.is_chinese_id,
        "11010519491231002X"),
        (digits.is_aadhaar, "234123412346"), (digits.is_nir, "255081416802538"), (digits.is_spanish_id, "12345678Z"),
        (digits.is_snils, "11223344595"), (digits.is_iranian_id, "0012345679"), (digits.may_be_card,
        "6037991123456786"),
    ],
)  # fmt: skip
def test_a_right_number_passes_and_every_changed_digit_fails(check, right):
    assert check(right)
    place = len(right) - 3
    for digit in set("0123456789") - {right[place]}:
        if right[place].isdigit():
            assert not check(right[:place] + digit + right[place + 1 :])


def test_repeated_digits_are_no_cpf_and_unknown_issuers_no_card():
    assert not digits.is_cpf("11111111111")
    assert not digits.is_card("0000000000000000")


def test_corsican_departments_count_as_numbers():
    assert digits.is_nir("184052A001001" + f"{97 - int('1840519001001') % 97:02d}")
    assert not digits.is_nir("184052A001001XX")
