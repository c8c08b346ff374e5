"""Signing in at the admin in a role, and the addresses and forms of its pages."""

from html.parser import HTMLParser

from django.contrib.auth.models import Group, User
from django.urls import reverse

from records.admin.addresses import page

LIST = reverse("admin:records_casestudy_changelist")
ADD = reverse("admin:records_casestudy_add")


def sign_in(client, role):
    """Sign in as one of the three roles; the owner without being a superuser, so that the group is what counts."""
    user = User.objects.create_user(role, password="a long pass phrase", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    client.force_login(user)
    return user


def act(client, action, *records, **more):
    data = {"action": action, "_selected_action": [record.pk for record in records], **more}
    return client.post(LIST, data, follow=True)


def confirmed(client, name, record):
    return client.post(page(record, name), {"confirmed": "yes"}, follow=True)


def text(response):
    return response.content.decode()


class _Fields(HTMLParser):
    """What a browser would send of a page's form."""

    def __init__(self):
        super().__init__()
        self.values, self._form, self._name, self._select, self._text = {}, "", None, None, None

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self._form = given.get("id", "")
        if not self._form.endswith("_form"):
            return
        name = given.get("name")
        if tag == "input" and name and given.get("type") not in ("submit", "checkbox", "radio"):
            self.values[name] = given.get("value", "")
        elif tag == "input" and name and given.get("type") == "checkbox" and "checked" in given:
            self.values[name] = given.get("value", "on")
        elif tag == "textarea":
            self._name, self._text = name, ""
        elif tag == "select":
            self._select = name
            self.values[name] = ""
        elif tag == "option" and self._select and "selected" in given:
            self.values[self._select] = given.get("value", "")

    def handle_data(self, data):
        if self._text is not None:
            self._text += data

    def handle_endtag(self, tag):
        if tag == "textarea" and self._name:
            self.values[self._name], self._name, self._text = self._text.removeprefix("\n"), None, None
        elif tag == "select":
            self._select = None
        elif tag == "form":
            self._form = ""


def fields(response):
    """Return the form of a change page as it would be sent unchanged."""
    parser = _Fields()
    parser.feed(text(response))
    return parser.values


def edit(client, address, **changed):
    """Open a page, change fields of its form and save; keys take `__` for `-`. Returns the answer."""
    sent = fields(client.get(address)) | {name.replace("__", "-"): value for name, value in changed.items()}
    return client.post(address, {name: value for name, value in sent.items() if value is not None} | {"_continue": "1"})


class _Reading(HTMLParser):
    """What a screen reader would make of a page: inputs and their labels, headings, tables' heads."""

    def __init__(self):
        super().__init__()
        self.inputs, self.labelled, self.headings, self.ids = [], set(), [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        if tag == "label":
            self.labelled.add(given.get("for"))
        elif tag in ("select", "textarea") or (
            tag == "input" and given.get("type") not in ("hidden", "submit", "button")
        ):
            self.inputs.append(
                (given.get("id"), "aria-label" in given or "aria-labelledby" in given, given.get("name"))
            )
        elif len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))


def faults_for_a_screen_reader(response):
    """Return inputs without a label, ids that stand twice, and headings that skip a level."""
    page = _Reading()
    page.feed(text(response))
    unlabelled = [name for id_, said, name in page.inputs if not said and id_ not in page.labelled]
    twice = sorted({each for each in page.ids if page.ids.count(each) > 1})
    skipped = [pair for pair in zip(page.headings, page.headings[1:], strict=False) if pair[1] > pair[0] + 1]
    return {"unlabelled": unlabelled, "twice": twice, "skipped": skipped, "h1": page.headings.count(1)}
