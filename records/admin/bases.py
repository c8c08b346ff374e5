"""The admin's classes with their models as type parameters, which they take in the type checker's stubs alone."""

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin

if TYPE_CHECKING:
    from django.forms.models import BaseInlineFormSet

    from records.models import Alert, Owner, PersonalValue, Record, RecordText

    AdminOfRecord = admin.ModelAdmin[Record]
    AdminOfOwner = admin.ModelAdmin[Owner]
    AdminOfAlert = admin.ModelAdmin[Alert]
    AdminOfPersonalValue = admin.ModelAdmin[PersonalValue]
    TextInline = admin.StackedInline[RecordText, Record]
    FormOfOwner = forms.ModelForm[Owner]
    FormOfRecord = forms.ModelForm[Record]
    FormOfText = forms.ModelForm[RecordText]
    FormSetOfTexts = BaseInlineFormSet[RecordText, Record, FormOfText]
else:
    AdminOfRecord = AdminOfOwner = AdminOfAlert = AdminOfPersonalValue = admin.ModelAdmin
    TextInline = admin.StackedInline
    FormOfOwner = FormOfRecord = FormOfText = forms.ModelForm
    FormSetOfTexts = forms.BaseInlineFormSet
