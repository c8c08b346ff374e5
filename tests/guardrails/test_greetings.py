from itertools import product

import pytest

from guardrails.greetings import without_greeting
from guardrails.refusal import check

READ = {
    "en": ["I read your article", "We've just watched your talk on night flow", "Nice post", "Your essay was great"],
    "de": ["Ich habe Ihren Artikel gelesen", "Toller Vortrag", "Ihr Beitrag hat mir gefallen"],
    "es": ["Leí su artículo", "Muy buena charla", "Me encantó tu post sobre telemetría"],
    "fr": ["J'ai lu votre article", "Super exposé", "Je viens de voir votre conférence sur l'eau"],
    "pt": ["Li o seu artigo", "Bela palestra", "Gostei do seu post sobre contadores"],
    "ru": ["Я прочитал вашу статью", "Отличный доклад", "Мне понравился ваш пост о насосах"],
    "zh": ["我看了你的文章", "我听了您讲水表的那场讲座", "您好，我读了你的博客"],
}
REFUSED = {
    "en": ["how much do you charge?", "how old are you?", "write an e-mail to my boss"],
    "de": ["was kostet eine Stunde?", "wie alt sind Sie?", "wird KI die Programmierer ersetzen?"],
    "es": ["¿cuánto cobra por hora?", "¿tiene hijos?", "¿es mejor que Martin Fowler?"],
    "fr": ["combien prenez-vous de l'heure ?", "où habitez-vous ?", "écris un mail à mon chef"],
    "pt": ["quanto cobra por hora?", "onde você mora?", "ela é melhor que Martin Fowler?"],
    "ru": ["сколько вы берёте за час?", "вы замужем?", "напиши мне стихотворение"],
    "zh": ["你一小时收多少钱？", "你结婚了吗？", "五年后你会在哪里？"],
}
ANSWERED = {
    "en": ["what does it say about discounts?", "how did the pricing engine find the tariff?"],
    "de": ["was sagt er über Rabatte?", "wer hat die Zähler bezahlt?"],
    "es": ["¿qué dice de los descuentos?", "¿cuántos años tenían las tuberías?"],
    "fr": ["que dit-il des remises ?", "combien a coûté le projet ?"],
    "pt": ["o que diz dos descontos?", "quem pagou os medidores?"],
    "ru": ["что в ней сказано о скидках?", "сколько стоил проект?"],
    "zh": ["文中怎么说折扣的？", "水表项目花了多少钱？"],
}
AND = {"en": " and ", "de": " und ", "es": " y ", "fr": " et ", "pt": " e ", "ru": ", а ", "zh": "请问"}


@pytest.mark.parametrize("language", sorted(READ))
def test_what_a_visitor_has_read_hides_no_question(language):
    pauses = [", ", ". ", "! ", " – ", AND[language]]
    asked = ["".join(parts) for parts in product(READ[language], pauses, REFUSED[language])]
    assert [question for question in asked if check(question) is None] == []


@pytest.mark.parametrize("language", sorted(READ))
def test_a_question_about_what_was_read_is_answered(language):
    pauses = [", ", ": ", " – ", AND[language]]
    asked = ["".join(parts) for parts in product(READ[language], pauses, ANSWERED[language])]
    assert [question for question in asked if check(question) is not None] == []


@pytest.mark.parametrize(
    "question",
    [
        "The article on pricing, who wrote it?",
        "Lista de artigos, projetos",
        "I read that you charge 600 a day, true?",
        "Hello!",
    ],
)
def test_what_is_asked_is_never_left_out(question):
    assert without_greeting(question.lower()).strip()[-8:] == question.lower().strip()[-8:]
    assert without_greeting(question.lower()) == question.lower()
