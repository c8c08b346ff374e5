"""A list of the admin that is asked for what no row can be (a day of the year 99999, a filter that is half an
expression) opens unfiltered, as Django does it where it sees the fault itself.
"""

import logging

from django.contrib.admin.views.main import ERROR_FLAG
from django.db import DataError
from django.http import HttpRequest, HttpResponseRedirect
from django.utils.deprecation import MiddlewareMixin

logger = logging.getLogger(__name__)


class ListQueries(MiddlewareMixin):
    """Takes up what a list's query raises."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseRedirect | None:
        """Lead to the whole list; without a query, or anywhere else, the fault is ours and stays one."""
        name = request.resolver_match.url_name if request.resolver_match else None
        is_list = bool(name and name.endswith("_changelist"))
        if not isinstance(error, DataError | ValueError) or not is_list or not {*request.GET} - {ERROR_FLAG}:
            return None
        logger.warning("A list of the admin was asked for what no row can be.", exc_info=error)
        return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
