"""Setting for many records at once who may read them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from records.admin.bases import AdminOfRecord
from records.models import Access, Record
from records.publishing import publish
from records.roles import ROLES


class AccessForm(forms.Form):
    """The access to set, and whether at once."""

    access = forms.ChoiceField(choices=Access, label=gettext_lazy("Who may read it"))
    group = forms.ModelChoiceField(
        Group.objects.exclude(name__in=ROLES),
        required=False,
        label=gettext_lazy("Group"),
        help_text=gettext_lazy("Who reads it when access is restricted."),
    )
    at_once = forms.BooleanField(
        required=False,
        label=gettext_lazy("Publish the drafts of these records at once"),
        help_text=gettext_lazy("Otherwise only the drafts change, and the site goes on as it is."),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("access") == Access.RESTRICTED and not given.get("group"):
            self.add_error("group", _("Say which group may read it."))
        return given


class AccessAction(AdminOfRecord):
    """An action of the list, with a page of its own between choosing and doing."""

    def ask_access(self, request: HttpRequest, records: QuerySet[Record]) -> HttpResponse | None:
        """Ask for the access, or set it."""
        form = AccessForm(request.POST if "confirmed" in request.POST else None)
        may_publish = request.user.has_perm("records.publish_record")
        if not may_publish:
            del form.fields["at_once"]
        if not form.is_valid():
            context = {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "title": _("Set who may read"),
                "records": records,
                "form": form,
            }
            return TemplateResponse(request, "admin/records/access.html", context)
        given = form.cleaned_data
        group = given["group"] if given["access"] == Access.RESTRICTED else None
        for record in records:
            record.access, record.group = given["access"], group
            record.save(update_fields=["access", "group", "updated_at"])
            self.log_change(request, record, f"{_('Who may read it')}: {record.get_access_display()}")
            if given.get("at_once") and record.versions.filter(retired_at=None).exists():
                publish(record, by=request.user)  # type: ignore[arg-type]  # admin users are signed in
        text = ngettext("%(count)d record changed.", "%(count)d records changed.", len(records))
        self.message_user(request, text % {"count": len(records)}, messages.SUCCESS)
        return None
