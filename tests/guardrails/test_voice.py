import pytest

from guardrails.belt import first_person_word
from guardrails.candidate import Candidate, LatchRules
from guardrails.sources import Source

SOURCE = (
    'The essay How I Learned to Draw Rivers says "we drew every river twice" and was hired by We Are Rivers. '
    "I. Newton is quoted, and *My Maps* is a book."
)
SPEECH = [
    "I drew maps.", "She told me so.", "In my opinion it works.", "We drew maps.", "It is ours.", "Let us see.",
    "It was mine.", "I'm sure.",
    "So did I.", "“We never drew a river”, she said.", "WE DREW MAPS.", "The maps were drawn by us.",
    "“How I sold rivers” is her essay.",
]  # fmt: skip
SILENT = [
    "The I/O module.", "World War I maps.", "It is phase I of three.", "She moved to the US.",
    "The mine is closed.", "She mined the data.",
    "“We drew every river twice”, she said.", "How I Learned to Draw Rivers is an essay.",
    "We Are Rivers hired her.", "A law by I. Newton.",
    "*My Maps* is a book.", "MySQL and iOS.", "Status, virus, campus.", "i.e. a map.",
]  # fmt: skip

# Verbs that no list names, and words that only end like them.
ENDINGS = {
    "pt": (
        ["Chefiei o núcleo em 2013.", "O mapa, garimpei-o aqui.", "Velejávamos toda semana.", "Retificaremos o mapa."],
        ["O jogo de vôlei foi em 2013.", "A lei de 2013 vale.", "Ela foi para Brunei.", "Brunei fica longe."],
    ),
    "es": (
        ["Revisé el informe.", "Zurcí los mapas.", "Barnizábamos los muros.", "Soldaremos la torre."],
        ["El comité tomó café.", "Un jabalí y un rubí.", "Ella vio a José y a Noemí.", "Ambos tramos, dos préstamos."],
    ),
    "ru": (
        ["Возглавляю отдел.", "Конвертирую карты.", "Шлифуем и вытачиваем детали."],
        ["К краю моста подошли.", "В этом случаем не ограничились.", "Урожаю повредила река."],
    ),
    "hi": (["नक्शा तराशूँगी।", "पुल नापूं तो देर होगी।"], ["गेहूँ का भाव।", "क्यूं नहीं।"]),
    "fa": (
        ["نقشه‌ها را می‌پیمودم.", "پل را نمی‌سنجیم.", "گزارش را میتراشم."],
        ["مریم و میثم آمدند.", "پنج میلی‌گرم نمک."],
    ),
    "ar": (
        ["صمّمتُ الجسر.", "قِستُ المنسوب.", "رَسَمْتُ الخريطة."],
        ["البياناتُ في الخادم.", "الوقتُ قصير.", "صممت الجسر."],
    ),
}


def spoken(text, language="en"):
    return first_person_word(Candidate(text, (1,), language, [Source(SOURCE, "en")], LatchRules()))


@pytest.mark.parametrize("text", SPEECH)
def test_first_person_is_found(text):
    assert spoken(text)


@pytest.mark.parametrize("text", SILENT)
def test_names_titles_quotations_and_parts_of_words_are_no_speech(text):
    assert spoken(text) is None


@pytest.mark.parametrize(("language", "text"), [(code, text) for code in ENDINGS for text in ENDINGS[code][0]])
def test_a_verb_speaks_by_its_ending_though_no_list_has_it(language, text):
    assert spoken(text, language)


@pytest.mark.parametrize(("language", "text"), [(code, text) for code in ENDINGS for text in ENDINGS[code][1]])
def test_other_words_with_such_an_ending_and_names_are_no_speech(language, text):
    assert spoken(text, language) is None
